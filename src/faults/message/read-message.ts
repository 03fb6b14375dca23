import type { MessageFact } from '../recovery/faulted-run.ts';
import { readStructuredMessage } from './structured-message.ts';

/** Regular expressions that say it in the words of the app, instead of the English ones. */
export interface MessagePatterns {
  readonly done?: string | undefined;
  readonly notDone?: string | undefined;
  readonly attempt?: string | undefined;
  readonly state?: string | undefined;
  readonly action?: string | undefined;
  readonly effect?: string | undefined;
}

export interface MessageGivens {
  readonly patterns: MessagePatterns;
  /** Words that name what was attempted: of the tool's name and arguments. */
  readonly subjects: readonly string[];
  /** Tools with effects in this run. */
  readonly effectTools: readonly string[];
}

const verbs =
  'booked|created|sent|completed|done|updated|closed|refunded|scheduled|processed|saved|confirmed|recorded|cancelled|deleted|placed|invited|added|paid|charged|issued|reserved|arranged|submitted|ordered|registered|transferred|resolved|succeeded|went through|all set';
const done = new RegExp(`\\b(?:${verbs})\\b`, 'i');
const notDone =
  /\b(?:could\s?n[o’']t|couldn['’]t|can(?:not|['’]t)|unable|fail(?:ed|s)?|not able|did\s?n[o’']t|didn['’]t|(?:was|were|is|are|has|have) ?(?:not|n['’]t)|(?:no (?!actions?\b)[a-z]+|nothing|nobody|none) (?:was|were|is|are|has been|have been)|tried to .* but|no answer|gave up)\b/i;
const uncertain =
  /\b(?:some .* (?:others|the rest|not)|in part|partly|partially|may have|might have|(?<!\b(?:you|we|they|i) )(?:may|might)|unclear|unknown|not sure|(?:can|could) ?not (?:tell|confirm|verify)|unconfirmed)\b/i;
const error =
  /\b(?:errors?|fail(?:ed|ure)|timed out|time-?out|unavailable|could not reach|refused|rejected|broken|tried to .* but)\b/i;
const state =
  /\b(?:nothing|no [a-z]+|not (?:been )?[a-z]+ed|was not|were not|still|remains?|exists?|in place|unchanged|untouched|removed|undone|deleted|may have|is (?:now )?[a-z]+ed)\b/i;
const action =
  /\b(?:please|you (?:should|need|can|may|must|will)|no action|nothing (?:else |more )?(?:is )?(?:needed|to do)|try (?:it )?again|later|contact|check|let me know|need(?:s|ed)? (?:to be|your))\b/i;
const odd =
  /\b(?:no (?:rows|results|data|entries)|empty|missing|incomplete|partial(?:ly)?|stale|out of date|outdated|only \d+ of|rejected|assum\w+)\b/i;
const undoing = /\b(?:removed|released|undone|deleted|cancell?ed|cleared|freed|withdrawn|rolled back|taken back)\b/i;
const together = /\bsome .* (?:others|the rest|not)\b/i;
const harmless = /\b(?:no|without(?: any)?) (?:errors?|problems?|issues?|failures?)\b[^.;!?]*/gi;

/**
 * What a final message says, by its words: deterministic, and no more than that. A structured final message
 * (`{ attempted, state, action_needed }`) is read as it stands.
 */
export function readMessage(text: string, { patterns, subjects, effectTools }: MessageGivens): MessageFact {
  const structured = readStructuredMessage(text);
  if (structured !== undefined) return structured;
  const told = text.replace(harmless, '');
  const clauses = clausesOf(told);
  const names = (clause: string): boolean =>
    patterns.attempt === undefined ? holdsAny(clause, subjects.map(stem)) : matches(patterns.attempt, clause);
  const claims = clauses
    .map((clause) => ({ claim: claimOf(clause, patterns), names: names(clause) }))
    .filter(({ claim }) => claim !== 'none');
  // What is said last counts: "I could not at first, but it is booked now"; of other things than the attempt only where
  // nothing is said of that: "It is booked. Nothing was charged."
  const last = claims.findLast((each) => each.names) ?? claims.at(-1);
  return {
    claim: last?.claim ?? claimOf(told, patterns),
    onlyDenies: claims.length > 0 && claims.every(({ claim }) => claim === 'not_done'),
    claimedCount: countOf(told),
    claimsError: error.test(told),
    namesAttempt: names(told),
    namesState: patterns.state === undefined ? state.test(told) : matches(patterns.state, told),
    namesAction: patterns.action === undefined ? action.test(told) : matches(patterns.action, told),
    namesEffectsOf: effectTools.filter((tool) =>
      clauses.some((clause) => standsIn(clause, tool, patterns) && saysItStands(clause, tool, patterns)),
    ),
    disclosesFault: odd.test(told),
  };
}

/** Sentences, and their parts at a comma or "but"; what only holds together stays together. */
function clausesOf(text: string): readonly string[] {
  const sentences = text.split(/[.;!?\n]+(?=\s|$)/);
  const parts = sentences.flatMap((each) => (together.test(each) ? [each] : each.split(/,? but |,\s+/)));
  return parts.filter((clause) => clause.trim() !== '');
}

/** "The hold was removed" says that it is gone, "could not be removed" that it is there. */
function saysItStands(clause: string, tool: string, patterns: MessagePatterns): boolean {
  const denied = claimOf(clause, patterns) === 'not_done';
  const gone = undoing.exec(clause)?.[0].toLowerCase();
  // What `delete_file` has done stands where the file is deleted.
  const isUndone = gone !== undefined && !nounsOf(tool).some((noun) => gone.startsWith(noun.slice(0, 5)));
  return denied === isUndone;
}

function claimOf(clause: string, patterns: MessagePatterns): MessageFact['claim'] {
  if (uncertain.test(clause)) return 'uncertain';
  if (patterns.notDone === undefined ? notDone.test(clause) : matches(patterns.notDone, clause)) return 'not_done';
  return (patterns.done === undefined ? done.test(clause) : matches(patterns.done, clause)) ? 'done' : 'none';
}

function countOf(text: string): number | null {
  if (/\b(?:once|exactly one|one time)\b/i.test(text)) return 1;
  return /\b(?:twice|two times|exactly two)\b/i.test(text) ? 2 : null;
}

function holdsAny(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some((word) => lower.includes(word));
}

function standsIn(clause: string, tool: string, { effect }: MessagePatterns): boolean {
  if (effect !== undefined) return matches(effect, clause);
  const lower = clause.toLowerCase();
  return nounsOf(tool).some((noun) => lower.includes(stem(noun)));
}

const plain = new Set([
  'get',
  'set',
  'the',
  'and',
  'for',
  'all',
  'new',
  'one',
  'make',
  'create',
  'place',
  'find',
  'list',
]);

/** Words of a tool's name that name a thing: `create_event` is about an event. */
export function nounsOf(tool: string): readonly string[] {
  const words = tool
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter((word) => word.length > 2 && !plain.has(word));
}

function stem(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 4 && lower.endsWith('s') ? lower.slice(0, -1) : lower;
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'iu').test(text);
}
