import { createHash } from 'node:crypto';
import { canonicalJson } from '../trace/canonical-json.ts';

const mostSpellings = 512;
const longestKept = 256;

/** Which operation a tool call belongs to, and which try of it. Both count from 1. */
export interface Attempt {
  readonly operation: number;
  readonly number: number;
}

interface Spelling {
  readonly tool: string;
  /** The arguments as they stood; a digest of them where they are long. */
  readonly text: string;
  /** Canonical JSON of what names the operation, or a digest of it; `undefined` until a second spelling came. */
  identity: string | undefined;
  /** The first spelling of its operation, which counts the tries; `undefined` where it is this one. */
  readonly first: Spelling | undefined;
  readonly ordinal: number;
  tries: number;
  /** The one that came before it, of whatever tool. */
  readonly before: Spelling | undefined;
}

/** Reads from the spelling of a tool's arguments what of them names the operation. */
export type IdentityOf = (tool: string, spelling: string) => unknown;

/**
 * Operations of one segment: same tool, same canonical arguments. Arguments are parsed only when a tool is called with
 * a second spelling. Bounded: past 512 distinct spellings there are no numbers rather than wrong ones.
 */
export class Attempts {
  // A list by hand: most segments hold one or two, and an array reserves room for seventeen.
  newest: Spelling | undefined = undefined;
  spellings = 0;
  operations = 0;
}

/** Counts a tool call among those of its segment. */
export function nextAttempt(
  attempts: Attempts,
  tool: string,
  spelling: string,
  identityOf: IdentityOf,
): Attempt | undefined {
  const text = short(spelling);
  let known = attempts.newest;
  while (known !== undefined && (known.text !== text || known.tool !== tool)) known = known.before;
  if (known === undefined) {
    if (attempts.spellings >= mostSpellings) return undefined;
    known = newSpelling(attempts, tool, spelling, identityOf);
  }
  const { first = known } = known;
  first.tries++;
  return { operation: first.ordinal, number: first.tries };
}

function newSpelling(attempts: Attempts, tool: string, spelling: string, identityOf: IdentityOf): Spelling {
  const others = otherSpellings(attempts, tool, identityOf);
  // A first long spelling could not be read again later: only its digest is kept.
  const isLong = spelling.length > longestKept;
  const identity = others.length > 0 || isLong ? key(identityOf(tool, spelling)) : undefined;
  const same = others.find((other) => other.identity === identity);
  attempts.spellings++;
  attempts.newest = {
    tool,
    text: short(spelling),
    identity,
    first: same?.first ?? same,
    ordinal: same === undefined ? ++attempts.operations : 0,
    tries: 0,
    before: attempts.newest,
  };
  return attempts.newest;
}

const none: readonly Spelling[] = [];

/** Spellings of a tool's arguments that came before, with what names the operation in each. */
function otherSpellings(attempts: Attempts, tool: string, identityOf: IdentityOf): readonly Spelling[] {
  let others: Spelling[] | undefined;
  for (let other = attempts.newest; other !== undefined; other = other.before) {
    if (other.tool !== tool) continue;
    other.identity ??= key(identityOf(tool, other.text));
    others ??= [];
    others.push(other);
  }
  return others ?? none;
}

function key(identity: unknown): string {
  return short(canonicalJson(identity));
}

function short(text: string): string {
  return text.length <= longestKept ? text : createHash('sha256').update(text).digest('base64');
}
