import { randomBytes } from 'node:crypto';
import type { Context } from '@opentelemetry/api';
import { readContentBeside, withContentBeside } from './content-beside.ts';
import { type Counters, newCounters, observeCounters } from './counters.ts';
import type { AgentSpanProcessorOptions } from './options.ts';
import type { Output } from './output.ts';
import { outputsOf } from './outputs.ts';
import type { ReadableSpan, RunningSpan, SpanProcessor } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import { SegmentStamper } from './segment-stamper.ts';
import { ToolFacts } from './tool-facts.ts';

/** A span processor of the SDK, and the numbers it keeps. */
export interface AgentSpanProcessor extends SpanProcessor {
  readonly counters: Readonly<Counters>;
}

/**
 * A span processor that hands on a copy of each span with what may leave to the processor or exporter behind it, and
 * stamps run, segment and completeness receipts on it. Works in SDK 2.x and 3.x. The default is metadata mode: no
 * prompt, answer, argument, result, header, URL path or exception text leaves. It never throws into the app.
 *
 * @example
 * new NodeSDK({ spanProcessors: [agentSpanProcessor({ next: new BatchSpanProcessor(exporter) })] }).start();
 */
export function agentSpanProcessor(options: AgentSpanProcessorOptions): AgentSpanProcessor {
  const environment = options.environment ?? process.env;
  readContentBeside();
  const counters = newCounters();
  if (options.meter !== undefined) observeCounters(options.meter, counters);
  const stamper = new SegmentStamper(randomBytes(4).toString('hex'));
  const toolFacts = new ToolFacts({
    digestKey: options.digestKey ?? environment['OTEL_EVAL_DIGEST_KEY'],
    identity: options.identity ?? {},
  });
  return plainProcessor({
    stamper,
    toolFacts,
    counters,
    outputs: outputsOf(options, environment, { toolFacts, counters }),
  });
}

interface Parts {
  readonly stamper: SegmentStamper;
  readonly toolFacts: ToolFacts;
  readonly counters: Counters;
  readonly outputs: readonly Output[];
}

function plainProcessor({ stamper, toolFacts, counters, outputs }: Parts): AgentSpanProcessor {
  const seeEnding = outputs.filter(({ seesEnding }) => seesEnding);
  return {
    counters,
    onStart(span: RunningSpan, parentContext: Context): void {
      let state: SpanState | undefined;
      try {
        state = stamper.started(span, parentContext);
      } catch {
        counters.failed++;
      }
      for (const output of outputs) output.started(span, parentContext, state);
    },
    // Only where somebody behind wants it: the SDK calls it for every span.
    ...(seeEnding.length === 0
      ? {}
      : {
          onEnding(span: RunningSpan): void {
            for (const output of seeEnding) output.ending(span, stamper.stateOf(span));
          },
        }),
    onEnd(span: ReadableSpan): void {
      counters.seen++;
      let state: SpanState | undefined;
      try {
        state = stamper.ended(span);
        if (state !== undefined) toolFacts.count(withContentBeside(span), state);
      } catch {
        counters.failed++;
      }
      for (const output of outputs) output.ended(span, state);
    },
    async forceFlush(): Promise<void> {
      await allDone(outputs.map((output) => output.forceFlush()));
    },
    async shutdown(): Promise<void> {
      await allDone(outputs.map((output) => output.shutdown()));
    },
  };
}

/** Waits for all of them; then the first failure is the caller's, as it is without us. */
async function allDone(runs: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
