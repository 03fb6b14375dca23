import { OtelEvalError } from '../../trace/otel-eval-error.ts';

/** What a model is called with; a control that is not there is not verified. */
export interface ModelControls {
  readonly maxTokens?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** `false`: switched off. */
  readonly cache?: boolean | undefined;
  /** A list, or absent on purpose (`null`). */
  readonly callbacks?: readonly unknown[] | null | undefined;
  /** Of a route that limits its rounds by itself: the same four as the guard. */
  readonly modelRounds?: number | undefined;
}

const approved = { maxTokens: 256, maxRetries: 0, modelRounds: 4 } as const;

/**
 * Refuses a subject whose controls are missing or not as approved: 256 output tokens, no retries, no cache, callbacks as a
 * list or none. Each has its own refusal.
 *
 * @throws OtelEvalError OTEL_EVAL_TARGET
 */
export function requireControls(controls: ModelControls): void {
  const { maxTokens, maxRetries, cache, callbacks, modelRounds = approved.modelRounds } = controls;
  if (maxTokens !== approved.maxTokens) throw refused('tokens', `maxTokens ${approved.maxTokens}`);
  if (maxRetries !== approved.maxRetries) throw refused('retries', `maxRetries ${approved.maxRetries}`);
  if (cache !== false) throw refused('cache', 'the cache switched off');
  if (callbacks !== null && !Array.isArray(callbacks))
    throw refused('callbacks', 'callbacks as a list, or null for none');
  if (modelRounds !== approved.modelRounds) throw refused('rounds', `modelRounds ${approved.modelRounds}`);
}

function refused(control: string, wanted: string): OtelEvalError {
  return new OtelEvalError(
    'OTEL_EVAL_TARGET',
    `the control of ${control} is missing or not verified: expected ${wanted}`,
    {
      hint: 'a trial is not run on a subject whose limits nobody holds',
    },
  );
}

/** Stops a request before it goes out: the fifth of a trial never reaches the network. */
export class RequestGuard {
  readonly #limit: number;
  #requests = 0;

  constructor(limit: number = approved.modelRounds) {
    this.#limit = limit;
  }

  /** Requests that were let through. */
  get requests(): number {
    return this.#requests;
  }

  /** Call it before each request of the model. */
  before(): void {
    if (this.#requests >= this.#limit) {
      throw new OtelEvalError('OTEL_EVAL_TARGET', `the model was asked more than ${this.#limit} times in one trial`);
    }
    this.#requests += 1;
  }

  /** A `fetch` that asks the guard first. */
  fetch(send: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.before();
      return send(input, init);
    };
  }
}
