import type { FaultFailure } from '../kinds/fault.ts';

/** What a tool throws under an injected fault, unless the app's own error mapper says otherwise. */
export class FaultError extends Error {
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;

  constructor({ type, message, status, retryAfterSeconds }: FaultFailure) {
    super(message);
    this.name = type;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
