/** What a command may touch of the outside world: handed in, so that a test can hand in its own. */
export interface Context {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The result, and nothing else. Resolves when it is handed over; rejects with `OutputClosed`. */
  write(text: string): Promise<void>;
  /** A diagnostic, to stderr. */
  note(text: string): void;
  /** The same, as it is: what a command under test prints. */
  echo(text: string): void;
  /** Resolves when the user (Ctrl-C) or the system asks us to end; never when it is given up before. */
  untilStopped(givenUp?: AbortSignal): Promise<void>;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Of the terminal on stdout; 80 where there is none. */
  readonly columns: number;
}

/** Whoever read our stdout has gone (`| head`): nothing is wrong, and nothing more need be written. */
export class OutputClosed extends Error {}
