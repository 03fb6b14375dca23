import type { FaultSession } from './fault-session.ts';
import { optionsIn } from './wrap-tools.ts';

/**
 * Wraps tools of the Vercel AI SDK (`tool({ inputSchema, execute })`) above the client. Tools without `execute` run
 * elsewhere and stay as they are.
 */
export function wrapAiSdkTools<Tools extends Readonly<Record<string, object>>>(
  session: FaultSession,
  tools: Tools,
): Tools {
  const wrapped = Object.entries(tools).map(([tool, definition]) => {
    const { execute } = definition as { readonly execute?: (...all: unknown[]) => unknown };
    if (execute === undefined) return [tool, definition];
    const faulted = (input: unknown, options: unknown): Promise<unknown> =>
      session.call({
        tool,
        arguments: input,
        ...optionsIn(options),
        run: (given) => execute.call(definition, given, options),
      });
    return [tool, { ...definition, execute: faulted }];
  });
  return Object.fromEntries(wrapped) as Tools;
}

/** A middleware for `wrapLanguageModel`: shows the session every prompt, so that delivery can be told. */
export function watchAiSdkModel(session: FaultSession): {
  readonly transformParams: (given: { readonly params: unknown }) => Promise<never>;
} {
  return {
    async transformParams({ params }) {
      session.sawModelRequest((params as { readonly prompt?: unknown }).prompt ?? params);
      return params as never;
    },
  };
}
