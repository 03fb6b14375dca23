import { agentSpanProcessor } from '../../dist/src/instrument/index.js';
import { contentSpanMs } from '../agent-spans.mjs';

export const what = 'span processor in content mode, 64 KiB of messages on the span, exporter discarding';
export const budget = 1;
export const unit = 'ms';

const environment = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };

export async function measure() {
  const ms = await contentSpanMs((next) => agentSpanProcessor({ next, mode: 'content', environment }), 65_536);
  return { value: ms, note: 'processor time a span, the SDK included' };
}
