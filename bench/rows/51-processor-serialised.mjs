import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { agentSpanProcessor } from '../../dist/src/instrument/index.js';
import { processorRatio } from '../agent-spans.mjs';

export const what = 'the same with an exporter that reads every span and writes OTLP/JSON';

const serialising = {
  export: (spans, done) => {
    JsonTraceSerializer.serializeRequest(spans);
    done({ code: 0 });
  },
  shutdown: async () => {},
  forceFlush: async () => {},
};

export const measure = () => processorRatio((next) => agentSpanProcessor({ next }), serialising);
