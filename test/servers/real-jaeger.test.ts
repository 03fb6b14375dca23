import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jaegerCollector } from '../../collectors/jaeger.ts';
import { memoryCollector } from '../../collectors/memory.ts';
import { evaluate } from '../../src/evaluate.ts';
import type { SuiteDocument } from '../../src/suite/suite-document.ts';
import { builtJaeger, withoutJaeger } from './built-jaeger.ts';
import { RunningJaeger } from './running-jaeger.ts';

const agents = resolve(import.meta.dirname, '../../fixtures/agents/order-support');
const suite = parse(readFileSync(`${agents}/suite.yaml`, 'utf8')) as SuiteDocument;

/** One run of the demo agent; its spans go to memory and to Jaeger. */
async function recordRun(otlpUrl: string, fault: string | undefined) {
  const [{ runAgent }, { createLedger }, { createScriptedModel }, { createTools }] = await Promise.all(
    ['agent', 'ledger', 'scripted-model', 'tools'].map((name) => import(`${agents}/${name}.mjs`)),
  );
  const memory = memoryCollector();
  const exporter = new OTLPTraceExporter({ url: `${otlpUrl}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'order-support' }),
    spanProcessors: [memory.processor, new BatchSpanProcessor(exporter)],
  });
  provider.register();
  await runAgent({
    tracer: provider.getTracer('order-support-agent', '1.0.0'),
    model: createScriptedModel(),
    tools: createTools(createLedger(), fault),
    message: 'Please refund my order ORD-1001.',
    conversationId: 'conversation-1',
  });
  await provider.forceFlush();
  await provider.shutdown();
  return memory;
}

const binary = builtJaeger();

if (binary === undefined) test.skip(`a real Jaeger gives the same verdicts as memory: ${withoutJaeger}`, () => {});
else {
  describe('a real Jaeger', () => {
    let server: RunningJaeger;

    beforeAll(async () => {
      server = await RunningJaeger.start(binary);
    });
    afterAll(async () => {
      await server.stop();
    });

    test.each([
      [undefined, 'passed'],
      ['refund-times-out', 'failed'],
    ])('gives the same verdicts as memory (fault: %s)', async (fault, status) => {
      const memory = await recordRun(server.otlpUrl, fault);
      const reports = [];
      const traceIds = new Set<string>();
      for await (const group of (await memory.collect()).groups())
        for (const { trace } of group) traceIds.add(trace.traceId);
      const remote = { url: server.queryUrl, traceIds: [...traceIds], settleMs: 1_000, deadlineMs: 300_000 };
      for (const traces of [memory, jaegerCollector(remote)]) {
        reports.push(await evaluate(suite, traces, { completeness: 'settled', deterministic: true }));
      }
      const [fromMemory, fromJaeger] = reports.map(({ scenarios }) =>
        scenarios.flatMap(({ trials }) =>
          trials.map(({ assertions, runId, ...trial }) => ({
            traceIds: trial.traceIds,
            runId,
            assertions: assertions.map(({ name, status, examined, findings }) => ({
              name,
              status,
              examined,
              findings,
            })),
          })),
        ),
      );
      expect(fromMemory?.length).toBe(1);
      expect(fromJaeger).toEqual(fromMemory);
      expect(reports.map((report) => report.status)).toEqual([status, status]);
    });

    test('finds the runs by service and conversation', async () => {
      const found = await evaluate(
        suite,
        jaegerCollector({
          url: server.queryUrl,
          service: 'order-support',
          conversationId: 'conversation-1',
          settleMs: 0,
        }),
        { completeness: 'settled' },
      );
      expect(found.scenarios[0]?.trials.map(({ status }) => status)).toEqual(['passed', 'failed']);
      expect(found.source.kind).toBe('jaeger');
    });
  });
}
