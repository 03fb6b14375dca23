import { agentSpanProcessor } from '../../dist/src/instrument/index.js';
import { processorRatio } from '../agent-spans.mjs';

export const what = 'span processor in metadata mode, exporter discarding, against BatchSpanProcessor alone';
export const budget = 1.15;

const discarding = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: async () => {},
  forceFlush: async () => {},
};

export const measure = () => processorRatio((next) => agentSpanProcessor({ next }), discarding);
