import { randomBytes } from 'node:crypto';
import type { Context } from '@opentelemetry/api';
import { type Counters, newCounters, observeCounters } from './counters.ts';
import { KeepList } from './keep-list.ts';
import { MetadataCopier } from './metadata-copier.ts';
import { MetadataFilter } from './metadata-filter.ts';
import type { AgentSpanProcessorOptions } from './options.ts';
import { Output, type SharedFacts } from './output.ts';
import type { ReadableSpan, RunningSpan, SpanProcessor } from './sdk-shapes.ts';
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
  const counters = newCounters();
  if (options.meter !== undefined) observeCounters(options.meter, counters);
  const stamper = new SegmentStamper(randomBytes(4).toString('hex'));
  const toolFacts = new ToolFacts({ digestKey: options.digestKey, identity: options.identity ?? {} });
  const keep = new KeepList(options.keep ?? [], options.keepNames ?? [], (text) => text);
  const outputs = [
    new Output(options.next, new MetadataCopier(new MetadataFilter(keep), toolFacts, counters), counters),
  ];

  return {
    counters,
    onStart(span: RunningSpan, parentContext: Context): void {
      try {
        stamper.started(span, parentContext);
      } catch {
        counters.failed++;
      }
      for (const output of outputs) output.started(span, parentContext);
    },
    onEnd(span: ReadableSpan): void {
      counters.seen++;
      const facts: SharedFacts = { state: endedState(stamper, span, counters), tool: undefined };
      for (const output of outputs) output.ended(span, facts);
    },
    async forceFlush(): Promise<void> {
      await Promise.all(outputs.map((output) => output.forceFlush()));
    },
    async shutdown(): Promise<void> {
      await Promise.all(outputs.map((output) => output.shutdown()));
    },
  };
}

function endedState(stamper: SegmentStamper, span: ReadableSpan, counters: Counters): SharedFacts['state'] {
  try {
    return stamper.ended(span);
  } catch {
    counters.failed++;
    return undefined;
  }
}
