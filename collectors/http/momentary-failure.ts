/** A failure that may be gone a moment later; asked again until the deadline. */
export class MomentaryFailure extends Error {
  /** What the server asked for in `Retry-After`. */
  readonly waitMs: number;

  /** Given up at our deadline, before the silence was long enough to say anything of the server. */
  readonly cutByDeadline: boolean;

  constructor(
    message: string,
    { waitMs = 0, cutByDeadline = false }: { readonly waitMs?: number; readonly cutByDeadline?: boolean } = {},
  ) {
    super(message);
    this.name = 'MomentaryFailure';
    this.waitMs = waitMs;
    this.cutByDeadline = cutByDeadline;
  }
}
