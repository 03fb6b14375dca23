import { readRuns } from '../../src/agent/run-reader.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { View } from '../../src/verdict/assertion.ts';

export interface MadeSpan {
  readonly trace?: string;
  /** One hex digit. */
  readonly id: string;
  readonly parent?: string;
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly resource?: Readonly<Record<string, string | readonly string[]>>;
  /** Names; after a blank stands the attribute `stage`. */
  readonly events?: readonly string[];
}

const value = (each: string | number | readonly string[]): object =>
  typeof each === 'string'
    ? { stringValue: each }
    : typeof each === 'number'
      ? { intValue: String(each) }
      : { arrayValue: { values: each.map((text) => ({ stringValue: text })) } };
const pairs = (record: Readonly<Record<string, string | number | readonly string[]>> = {}): object[] =>
  Object.entries(record).map(([key, each]) => ({ key, value: value(each) }));

/** Traces from a file that has ended. */
export function madeTraces(spans: readonly MadeSpan[], options: { cut?: boolean } = {}): CollectedTrace[] {
  const resourceSpans = spans.map(
    ({ trace = 'a'.repeat(32), id, parent, name, attributes, resource, events = [] }) => ({
      resource: { attributes: pairs(resource) },
      scopeSpans: [
        {
          spans: [
            {
              traceId: trace,
              spanId: id.repeat(16),
              parentSpanId: parent,
              name: name ?? `span ${id}`,
              startTimeUnixNano: '1000000000',
              endTimeUnixNano: '1050000000',
              attributes: pairs(attributes),
              events: events.map((event) => {
                const [name, stage] = event.split(' ');
                const attributes = stage === undefined ? [] : pairs({ stage });
                return { name, timeUnixNano: '1010000000', attributes };
              }),
            },
          ],
        },
      ],
    }),
  );
  const facts = { remote: false, ended: true, quiet: true, cut: options.cut ?? false, losses: [] };
  return [...buildTraces(decodeOtlpJson(JSON.stringify({ resourceSpans })).spans).values()].map((trace) => ({
    trace,
    facts,
    completeness: completenessOf(trace, facts),
  }));
}

export function madeView(traces: readonly CollectedTrace[]): View {
  const [run] = readRuns(traces, { oneRun: true });
  if (run === undefined) throw new Error('no run in these traces');
  return {
    run,
    traces,
    source: { kind: 'file', acceptsSettled: false, beforeDeadline: false },
    remoteRoot: false,
    digest: () => null,
    unselected: [],
  };
}
