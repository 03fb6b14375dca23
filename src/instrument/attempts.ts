import { createHash } from 'node:crypto';
import { canonicalJson } from '../trace/canonical-json.ts';

const mostSpellings = 512;
const longestKept = 256;

/** Arguments of a tool as they were spelled in a segment. */
export interface Spelling {
  readonly tool: string;
  /** The arguments as they stood; a digest of them where they are long. */
  readonly text: string;
  /** Canonical JSON of what names the operation, or a digest of it; `undefined` until a second spelling came. */
  identity: string | undefined;
  /** The first spelling of its operation, which counts the tries; `undefined` where it is this one. */
  readonly first: Spelling | undefined;
  /** Spellings and operations up to this one: both count from 1. */
  readonly ordinal: number;
  readonly operation: number;
  tries: number;
  /** The one that came before it, of whatever tool. A list by hand: an array reserves room for seventeen. */
  readonly before: Spelling | undefined;
}

/** Reads from the spelling of a tool's arguments what of them names the operation. */
export type IdentityOf = (tool: string, spelling: string) => unknown;

/**
 * Operations of one segment: same tool, same canonical arguments. Arguments are parsed only when a tool is called with
 * a second spelling. Bounded: past 512 distinct spellings there are no numbers rather than wrong ones.
 */
export interface Attempts {
  newestSpelling: Spelling | undefined;
}

/** Counts a tool call among those of its segment: the first spelling of its operation, with the tries so far. */
export function nextAttempt(
  attempts: Attempts,
  tool: string,
  spelling: string,
  identityOf: IdentityOf,
): Spelling | undefined {
  const text = short(spelling);
  let known = attempts.newestSpelling;
  while (known !== undefined && (known.text !== text || known.tool !== tool)) known = known.before;
  if (known === undefined) {
    const before = attempts.newestSpelling;
    if (before !== undefined && before.ordinal >= mostSpellings) return undefined;
    known = newSpelling(before, tool, spelling, identityOf);
    attempts.newestSpelling = known;
  }
  const { first = known } = known;
  first.tries++;
  return first;
}

function newSpelling(before: Spelling | undefined, tool: string, spelling: string, identityOf: IdentityOf): Spelling {
  // A long spelling could not be read again later: only its digest is kept.
  const isLong = spelling.length > longestKept;
  let identity = isLong ? key(identityOf(tool, spelling)) : undefined;
  let same: Spelling | undefined;
  for (let other = before; other !== undefined; other = other.before) {
    if (other.tool !== tool) continue;
    identity ??= key(identityOf(tool, spelling));
    other.identity ??= key(identityOf(tool, other.text));
    if (other.identity === identity) same = other.first ?? other;
  }
  const ordinal = (before?.ordinal ?? 0) + 1;
  const operation = (before?.operation ?? 0) + (same === undefined ? 1 : 0);
  return { tool, text: short(spelling), identity, first: same, ordinal, operation, tries: 0, before };
}

function key(identity: unknown): string {
  return short(canonicalJson(identity));
}

function short(text: string): string {
  return text.length <= longestKept ? text : createHash('sha256').update(text).digest('base64');
}
