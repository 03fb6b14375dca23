import { createHash } from 'node:crypto';

const mostOperations = 512;
const longestKey = 120;

/** Which operation a tool call belongs to, and which try of it. Both count from 1. */
export interface Attempt {
  readonly operation: number;
  readonly number: number;
}

/** Operations of one segment. Bounded: past 512 distinct ones there are no numbers rather than wrong ones. */
export class Attempts {
  readonly #byIdentity = new Map<string, { readonly operation: number; tries: number }>();

  /** `identity`: canonical JSON of the arguments, or of those of them that name the operation. */
  next(tool: string, identity: string): Attempt | undefined {
    const key = short(`${tool}\n${identity}`);
    let known = this.#byIdentity.get(key);
    if (known === undefined) {
      if (this.#byIdentity.size >= mostOperations) return undefined;
      known = { operation: this.#byIdentity.size + 1, tries: 0 };
      this.#byIdentity.set(key, known);
    }
    known.tries++;
    return { operation: known.operation, number: known.tries };
  }
}

function short(key: string): string {
  return key.length <= longestKey ? key : createHash('sha256').update(key).digest('base64');
}
