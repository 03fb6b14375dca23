import { showsFailure } from '../../trace/result-failure.ts';
import { answersIn } from './answers-in.ts';

/** A faulted result on its way to the model. */
interface Pending {
  readonly callId: string | undefined;
  readonly text: string;
  readonly delivered: () => void;
}

/** Watches what the model is sent, and tells when a faulted result is in it. */
export class Deliveries {
  #pending: Pending[] = [];
  #watched = 0;

  /** Requests that were looked at. */
  get watched(): number {
    return this.#watched;
  }

  expect(pending: Pending): void {
    this.#pending.push(pending);
  }

  saw(request: unknown): void {
    this.#watched += 1;
    if (this.#pending.length === 0) return;
    const text = typeof request === 'string' ? request : (jsonOf(request) ?? '');
    const here = this.#pending.filter((each) => isIn(each, text));
    this.#pending = this.#pending.filter((each) => !here.includes(each));
    for (const { delivered } of here) delivered();
  }
}

/** What of a result a model reads: an error's message, else the result as JSON. */
export function carriedText(outcome: { readonly error: unknown } | { readonly result: unknown }): string {
  if ('error' in outcome) return outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
  return typeof outcome.result === 'string' ? outcome.result : (jsonOf(outcome.result) ?? '');
}

/** Whether what came out of a tool still carries a failure that was planted under it. */
export function carriesFailure(outcome: { readonly error: unknown } | { readonly result: unknown }): boolean {
  return 'error' in outcome || showsFailure(outcome.result);
}

/** With an id the text must stand in the answer to that very call: `[]` stands nearly everywhere. */
function isIn({ callId, text }: Pending, request: string): boolean {
  const wanted = bare(text);
  const all = bare(request);
  if (!all.includes(wanted) || (callId !== undefined && !all.includes(bare(callId)))) return false;
  const answers = callId === undefined ? undefined : answersIn(request, callId);
  return answers === undefined || answers.some((answer) => bare(answer).includes(wanted));
}

/** Without white space and backslashes: JSON inside JSON reads the same. */
function bare(text: string): string {
  return text.replace(/[\\\s]/g, '');
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
