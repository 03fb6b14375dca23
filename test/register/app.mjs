import { context, trace } from '@opentelemetry/api';

// An app that knows only the API, as instrumented frameworks do.
const tracer = trace.getTracer('demo');
const [, , mode] = process.argv;

await tracer.startActiveSpan('invoke_agent demo', async (agent) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const tool = tracer.startSpan('execute_tool lookup', {
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'lookup',
      'gen_ai.tool.call.arguments': '{"q":"private words"}',
    },
  });
  if (agent.isRecording() && trace.getSpan(context.active()) !== agent) process.exitCode = 3;
  tool.end();
  agent.end();
});

// Ends when its standard input does.
if (mode === 'handle') process.on('SIGTERM', () => process.stdin.on('end', () => process.exit(7)).resume());
if (mode !== 'end') {
  setInterval(() => {}, 1_000);
  console.log('ready');
}
