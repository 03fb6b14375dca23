import { agentSpanProcessor } from '../../dist/src/instrument/index.js';
import { processorRatio } from '../agent-spans.mjs';

export const what = 'span processor in metadata mode, exporter discarding, against BatchSpanProcessor alone';
export const budget = 1.15;

const discarding = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: async () => {},
  forceFlush: async () => {},
};

export async function measure() {
  const { value, note } = await processorRatio((next) => agentSpanProcessor({ next }), discarding);
  return { value, note: `${note}; what nobody reads is not made: the filtered copy, the digest of a receipt` };
}
