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
  readonly operation: { readonly ordinal: number; tries: number };
}

/** Reads from the spelling of a tool's arguments what of them names the operation. */
export type IdentityOf = (tool: string, spelling: string) => unknown;

/**
 * Operations of one segment: same tool, same canonical arguments. Arguments are parsed only when a tool is called with
 * a second spelling. Bounded: past 512 distinct spellings there are no numbers rather than wrong ones.
 */
export class Attempts {
  readonly #spellings: Spelling[] = [];
  #operations = 0;

  next(tool: string, spelling: string, identityOf: IdentityOf): Attempt | undefined {
    const text = short(spelling);
    let known = this.#spellings.find((seen) => seen.tool === tool && seen.text === text);
    if (known === undefined) {
      if (this.#spellings.length >= mostSpellings) return undefined;
      known = this.#add(tool, spelling, identityOf);
    }
    const { operation } = known;
    operation.tries++;
    return { operation: operation.ordinal, number: operation.tries };
  }

  #add(tool: string, spelling: string, identityOf: IdentityOf): Spelling {
    const others = this.#spellings.filter((seen) => seen.tool === tool);
    // A first long spelling could not be read again later: only its digest is kept.
    const isLong = spelling.length > longestKept;
    const identity = others.length > 0 || isLong ? key(identityOf(tool, spelling)) : undefined;
    for (const other of others) other.identity ??= key(identityOf(tool, other.text));
    const same = others.find((other) => other.identity === identity);
    const operation = same?.operation ?? { ordinal: ++this.#operations, tries: 0 };
    const added = { tool, text: short(spelling), identity, operation };
    this.#spellings.push(added);
    return added;
  }
}

function key(identity: unknown): string {
  return short(canonicalJson(identity));
}

function short(text: string): string {
  return text.length <= longestKept ? text : createHash('sha256').update(text).digest('base64');
}
