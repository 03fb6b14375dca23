/** What a fault must know of a tool to fit its shape. */
export interface ToolSpec {
  readonly effect?: 'read' | 'write' | undefined;
  /** Of the client behind the tool: its own deadline, in milliseconds of virtual time. */
  readonly deadlineMs?: number | undefined;
  /** Below the client only requests to URLs that begin so are hit. Default: all that the tool makes. */
  readonly endpoint?: string | undefined;
  /** The answer with zero rows; by default the lists of a real answer are emptied. */
  readonly empty?: unknown;
  /** The argument that holds the items of a call that can be accepted in part. */
  readonly items?: string | undefined;
  /** The answer to a call of which some items were accepted. Default: `{ accepted, rejected }`. */
  readonly partialResult?: ((accepted: readonly unknown[], rejected: readonly unknown[]) => unknown) | undefined;
  /** What a read with these arguments gave before the last committed write; `undefined` where there was none. */
  readonly before?: ((args: unknown) => unknown) | undefined;
}
