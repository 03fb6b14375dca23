/** A failure that may be gone a moment later; asked again until the deadline. */
export class MomentaryFailure extends Error {
  /** What the server asked for in `Retry-After`. */
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.name = 'MomentaryFailure';
    this.waitMs = waitMs;
  }
}
