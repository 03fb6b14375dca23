import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/instrument/environment.ts';
import { withRun } from '../../src/instrument/run-context.ts';
import { otlpRequest } from '../../src/register/otlp-span.ts';
import { completenessIn } from './completeness.ts';
import { tracing } from './tracing.ts';

/** The spans of a worker as one OTLP/JSON request. */
function inWorker(workerData: Record<string, string>): Promise<string> {
  const file = join(import.meta.dirname, 'worker.mjs');
  const worker = new Worker(file, { workerData });
  return new Promise((done, failed) => {
    worker.on('message', done);
    worker.on('error', failed);
  });
}

test('worker threads of one process join the trace and run, each a segment of its own', async () => {
  const { tracer, spans } = tracing();
  const inRun = withRun({ runId: 'run-w' }, ROOT_CONTEXT);
  const root = tracer.startSpan('invoke_agent main', {}, inRun);
  const environment = context.with(trace.setSpan(inRun, root), childEnvironment);
  const requests = await Promise.all([inWorker(environment), inWorker(environment)]);
  root.end();
  const here = otlpRequest(spans());
  const [whole, ...others] = [...completenessIn([here, ...requests]).values()];
  expect(others).toEqual([]);
  expect([whole?.state, ...(whole?.reasons ?? [])]).toEqual(['proven', '3 receipts say 9']);
  const all = JSON.stringify([here, ...requests]);
  expect(all.match(/run-w/g)).toHaveLength(9);
  expect(new Set(all.match(/[0-9a-f]{8}00000001/g)).size).toBe(3);

  const cut = (request: string): string => {
    const body = JSON.parse(request);
    body.resourceSpans[0].scopeSpans[0].spans.shift();
    return JSON.stringify(body);
  };
  const [short] = [...completenessIn([here, requests[0] as string, cut(requests[1] as string)]).values()];
  expect([short?.state, short?.reasons]).toEqual(['short', ['1 span missing: a receipt says 4, 3 are here']]);
});
