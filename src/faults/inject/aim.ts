import type { FaultDocument } from '../plan/fault-document.ts';
import type { Injection } from '../plan/fault-plan.ts';
import { type Clocks, HitWindow } from './hit-window.ts';

/** A call that a row means: its tries may be hit. */
export interface Aim {
  /** The fault of this try, or none. Asked once for each try. */
  next(): FaultDocument | undefined;
}

/** Counts the calls that one injection means. */
export class Aimer {
  readonly #injection: Injection;
  readonly #window: HitWindow;
  #matching = 0;
  #hits = 0;

  constructor(injection: Injection, clocks: Clocks) {
    this.#injection = injection;
    this.#window = new HitWindow(injection, clocks);
  }

  /**
   * @param isNew - the model asked for it; a further try of the same call by a client or framework is not counted
   */
  aimAt(tool: string, args: unknown, isNew: boolean): Aim | undefined {
    const { occurrence, arguments: wanted } = this.#injection;
    if (tool !== this.#injection.tool || (wanted !== undefined && !includes(args, wanted))) return undefined;
    if (isNew) this.#matching += 1;
    return this.#matching < occurrence ? undefined : { next: () => this.#next() };
  }

  #next(): FaultDocument | undefined {
    if (!this.#window.hits()) return undefined;
    const { fault, escalate } = this.#injection;
    const found = this.#hits === 0 ? fault : (escalate[Math.min(this.#hits, escalate.length) - 1] ?? fault);
    this.#hits += 1;
    return found;
  }
}

/** Objects may hold more than is wanted, at any depth; lists have the same length. */
function includes(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(actual, wanted);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && (actual as unknown[]).length !== wanted.length) return false;
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(actual, key) && includes((actual as Record<string, unknown>)[key], value),
  );
}
