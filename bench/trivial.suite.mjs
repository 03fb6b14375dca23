// For the row about the overhead of a trial: an agent that makes one span and answers.
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const tracer = trace.getTracer('bench');

function create() {
  return () => {
    tracer.startSpan('answer').end();
    return 'done';
  };
}

export default {
  schema: 'otel-eval/suite/v1',
  name: 'trivial',
  target: { create },
  traces: { source: 'memory', spans: exporter },
  scenarios: [
    {
      name: 'answers',
      steps: ['Hello.'],
      trials: 1,
      assertions: [{ SpansMatch: { match: { name: 'answer' }, expect: { atLeast: 1 } } }],
    },
  ],
};
