import { type Span, SpanKind } from '@opentelemetry/api';
import { attachmentEvidence } from './attachments.ts';
import { isContentRead, putBeside } from './content-beside.ts';
import { contentText, messagesText, present } from './content-text.ts';
import { inSpan } from './in-span.ts';

export interface ModelCallOptions {
  /** The model that is asked for. */
  readonly model: string;
  /** As the conventions name it: `openai`, `anthropic`, `gcp.gemini`, … */
  readonly provider: string;
  /** Default `chat`. */
  readonly operation?: 'chat' | 'text_completion' | 'generate_content' | 'embeddings';
  /**
   * Messages that are sent, as the conventions have them. Recorded in content mode only, as are the next two; of
   * attachments (parts `blob`, `uri`, `file`) kind, source, MIME type and SHA-256 are evidence in any mode.
   */
  readonly input?: unknown;
  readonly instructions?: unknown;
  readonly tools?: unknown;
  readonly maxTokens?: number;
  readonly temperature?: number;
}

export interface ModelResponse {
  readonly id?: string;
  readonly model?: string;
  /** `stop`, `tool_calls`, `length`, `content_filter`, … */
  readonly finishReasons?: readonly string[];
  /** `input` includes `cachedInput`, `output` includes `reasoning`. */
  readonly usage?: {
    readonly input?: number;
    readonly output?: number;
    readonly cachedInput?: number;
    readonly reasoning?: number;
  };
  /** Messages that came back. Recorded in content mode only. */
  readonly output?: unknown;
}

/** Takes what came back, once, at any time before the function ends. */
export type RecordResponse = (response: ModelResponse) => void;

/**
 * One call of a model. The function gets a recorder for what came back.
 *
 * @example
 * const reply = await modelCall({ model, provider: 'openai', input }, async (response) => {
 *   const reply = await client.chat(request);
 *   response({ id: reply.id, usage: { input: reply.usage.in, output: reply.usage.out }, finishReasons: ['stop'] });
 *   return reply;
 * });
 */
export function modelCall<Result>(options: ModelCallOptions, run: (response: RecordResponse) => Result): Result {
  const operation = options.operation ?? 'chat';
  const attributes = present({
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': options.provider,
    'gen_ai.request.model': options.model,
    'gen_ai.request.max_tokens': options.maxTokens,
    'gen_ai.request.temperature': options.temperature,
  });
  return inSpan({ name: `${operation} ${options.model}`, kind: SpanKind.CLIENT, attributes }, (span) => {
    attachmentEvidence(span, options.input);
    if (isContentRead()) putBeside(span, sentContent(options));
    return run((response) => record(span, response));
  });
}

function sentContent({ input, instructions, tools }: ModelCallOptions): Record<string, string> {
  const parts = typeof instructions === 'string' ? [{ type: 'text', content: instructions }] : instructions;
  return present({
    'gen_ai.input.messages': messagesText(input, 'user'),
    'gen_ai.system_instructions': contentText(parts),
    'gen_ai.tool.definitions': contentText(tools),
  });
}

function record(span: Span, { id, model, finishReasons, usage, output }: ModelResponse): void {
  span.setAttributes(
    present({
      'gen_ai.response.id': id,
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': finishReasons === undefined ? undefined : [...finishReasons],
      'gen_ai.usage.input_tokens': usage?.input,
      'gen_ai.usage.output_tokens': usage?.output,
      'gen_ai.usage.cache_read.input_tokens': usage?.cachedInput,
      'gen_ai.usage.reasoning.output_tokens': usage?.reasoning,
    }),
  );
  if (isContentRead()) putBeside(span, present({ 'gen_ai.output.messages': messagesText(output, 'assistant') }));
}
