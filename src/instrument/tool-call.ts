import { SpanKind } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { isContentRead, putBeside } from './content-beside.ts';
import { contentText, present } from './content-text.ts';
import { inSpan } from './in-span.ts';

export interface ToolCallOptions {
  readonly name: string;
  /** The id that the model gave to its request. */
  readonly callId?: string;
  /** What the model asked for. Counted, digested, and recorded in content mode only. */
  readonly arguments?: unknown;
  /** What the tool does to the world. */
  readonly effect?: 'read' | 'write';
  /** Default `function`. */
  readonly type?: 'function' | 'extension' | 'datastore';
}

/**
 * One call of a tool, counted whether it fails or not: wrap each try. The result is looked at for signs of failure.
 *
 * @example
 * const order = await toolCall({ name: 'lookup_order', callId, arguments: args, effect: 'read' }, () => lookup(args));
 */
export function toolCall<Result>(options: ToolCallOptions, run: () => Result): Result {
  const attributes = present({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': options.name,
    'gen_ai.tool.call.id': options.callId,
    'gen_ai.tool.type': options.type ?? 'function',
    [ownAttributes.toolEffect]: options.effect,
  });
  return inSpan(
    { name: `execute_tool ${options.name}`, kind: SpanKind.INTERNAL, attributes },
    (span) => {
      if (isContentRead()) {
        putBeside(span, present({ 'gen_ai.tool.call.arguments': contentText(options.arguments) }));
      }
      return run();
    },
    (span, result) => {
      if (isContentRead()) putBeside(span, present({ 'gen_ai.tool.call.result': contentText(result ?? null) }));
    },
  );
}
