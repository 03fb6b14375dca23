import { describe, expect, test } from 'vitest';
import { dialects } from '../../src/agent/dialects/index.ts';
import type { AttributeValue } from '../../src/trace/attributes.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import type { Span } from '../../src/trace/span.ts';
import { allCaptures, captureFolders, capturesIn, sampleOf } from '../capture-set.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { judgeSpans, type Rule } from './judged-story.ts';
import { decodeStory, type OtlpKeyValue, type OtlpSpan, type OtlpStory, type Piece, readStory } from './otlp-story.ts';

const rules: readonly Rule[] = [
  ['ExecutionTraceJoined', {}],
  ['ToolCalled', { match: { tool: 'issue_refund' }, expect: { atMost: 1 } }],
  ['ToolCalled', { match: { tool: 'lookup_order', arguments: { order_id: 'ORD-1001' } }, expect: { exactly: 1 } }],
  ['ToolCalled', { match: { tool: 'escalate_to_human' }, expect: { none: true } }],
  ['ToolSucceeded', {}],
  ['ToolSucceeded', { expect: { attempts: 'last' }, evidence: 'status' }],
  ['WithinBudget', { modelCalls: { max: 3, source: 'story' }, toolAttempts: { max: 1, source: 'story' } }],
  ['WithinBudget', { totalTokens: { max: 500, source: 'story' } }],
  ['ResponseContains', { text: 'refund', ignoreCase: true }],
  ['HandedOff', { expect: { none: true } }],
  ['NoHumanInput', {}],
];

type Told = readonly (readonly [status: string, codes: readonly string[]][])[];

function told(spans: readonly Span[], logs: readonly LogRecord[]): Told {
  return judgeSpans(spans, logs, rules).map((verdicts) =>
    verdicts.map(({ status, findings }): [string, readonly string[]] => [status, findings.map(({ code }) => code)]),
  );
}

function toldOf(story: OtlpStory, apart = false): Told {
  const { spans, logs } = decodeStory(story, apart);
  return told(spans, logs);
}

/** Remembers which keys are asked for. */
class Watched extends Map<string, AttributeValue> {
  reads: Set<string> = new Set();
  override get(key: string): AttributeValue | undefined {
    this.reads.add(key);
    return super.get(key);
  }
  override has(key: string): boolean {
    this.reads.add(key);
    return super.has(key);
  }
}

/** Keys that are found by their beginning, or tell a dialect by being there. */
const found =
  /^(gen_ai\.(prompt|completion)\.|llm\.(input|output)_messages\.|retrieval\.documents\.|otel_eval\.|langfuse\.observation\.metadata\.)/;
const decisive = new Set(dialects.flatMap(({ keys }) => keys ?? []));

function withRenamedUnread(story: OtlpStory): OtlpStory {
  const { spans, logs } = decodeStory(story);
  const reads = new Set<string>();
  const watched = spans.map((span) => {
    const attributes = new Watched(span.attributes);
    attributes.reads = reads;
    return { ...span, attributes };
  });
  told(watched, logs);
  const isRead = (key: string) => reads.has(key) || decisive.has(key) || found.test(key);
  return mapSpans(story, (span) => ({
    ...span,
    attributes: (span.attributes ?? []).map((one, i) => (isRead(one.key) ? one : { ...one, key: `renamed.${i}` })),
  }));
}

function mapSpans(story: OtlpStory, change: (span: OtlpSpan) => OtlpSpan): OtlpStory {
  return { ...story, spans: story.spans.map((piece) => ({ ...piece, item: change(piece.item) })) };
}

/** The same order on every run. */
function shuffled<Item>(list: readonly Item[]): Item[] {
  const order = list.map((_, i) => [(i * 7919 + 104_729) % 10_007, i] as const).sort(([a], [b]) => a - b);
  return order.map(([, i]) => list[i] as Item);
}

const plainScope = { name: '@opentelemetry/instrumentation-http', version: '0.223.0' };

/** Below every second span a request of HTTP, as other instrumentations add them. */
function withUnrelated(story: OtlpStory): OtlpStory {
  const extra = story.spans
    .filter((_, i) => i % 2 === 0)
    .map(({ item, resource }, i): Piece<OtlpSpan> => {
      const { traceId, spanId: parentSpanId, startTimeUnixNano, endTimeUnixNano } = item;
      const attributes = [{ key: 'http.request.method', value: { stringValue: 'GET' } }];
      const spanId = (0xe0_000 + i).toString(16).padStart(16, 'e');
      const name = 'GET';
      return {
        item: { traceId, spanId, name, startTimeUnixNano, endTimeUnixNano, attributes, parentSpanId } as OtlpSpan,
        scope: plainScope,
        resource,
      };
    });
  return { ...story, spans: [...story.spans, ...extra] };
}

const moved = new Set(['gen_ai.input.messages', 'gen_ai.output.messages', 'gen_ai.system_instructions']);
const details = 'gen_ai.client.inference.operation.details';

function parted({ attributes = [] }: OtlpSpan): readonly [content: OtlpKeyValue[], rest: OtlpKeyValue[]] {
  return [attributes.filter(({ key }) => moved.has(key)), attributes.filter(({ key }) => !moved.has(key))];
}

/** Messages in the details record, written as a span event. */
function withEvents(story: OtlpStory): OtlpStory {
  return mapSpans(story, (span) => {
    const [content, rest] = parted(span);
    if (content.length === 0) return span;
    const event = { name: details, timeUnixNano: span.startTimeUnixNano, attributes: content };
    return { ...span, attributes: rest, events: [...(span.events ?? []), event] };
  });
}

/** Messages in the details record, as a log record of its own. */
function withLogs(story: OtlpStory): OtlpStory {
  const records = story.spans.flatMap(({ item, ...around }) => {
    const [content] = parted(item);
    const { traceId, spanId, startTimeUnixNano: timeUnixNano } = item;
    return content.length === 0
      ? []
      : [{ ...around, item: { traceId, spanId, timeUnixNano, eventName: details, attributes: content } }];
  });
  const bare = mapSpans(story, (span) => ({ ...span, attributes: parted(span)[1] }));
  return { ...bare, logs: [...bare.logs, ...records] };
}

/** A change that may change no verdict. */
const changes: Readonly<Record<string, (story: OtlpStory) => Told>> = {
  'unread attributes renamed': (story) => toldOf(withRenamedUnread(story)),
  'spans shuffled': (story) => toldOf({ spans: shuffled(story.spans), logs: shuffled(story.logs) }),
  'a batch for each span': (story) => toldOf(story, true),
  'unrelated spans added': (story) => toldOf(withUnrelated(story)),
  'messages in span events': (story) => toldOf(withEvents(story)),
  'messages in log records': (story) => toldOf(withLogs(story)),
};

const stories = allCaptures ? /./ : /^(s1|s2|s5-.*|s7)$/;

describe.skipIf(sharedCases === undefined)(
  `what changes no verdict${sharedCases === undefined ? ` (skipped: ${withoutSharedCases})` : ''}`,
  () => {
    test.each(sampleOf(captureFolders(), 6))('%s', (folder) => {
      const changed = capturesIn(folder)
        .filter(
          ({ story, files }) => stories.test(story) && files.length > 0 && !files.some((file) => file.endsWith('.pb')),
        )
        .flatMap(({ story, files }) => {
          const original = readStory(files);
          const before = toldOf(original);
          return Object.entries(changes)
            .filter(([, change]) => JSON.stringify(change(original)) !== JSON.stringify(before))
            .map(([name]) => `${story}: ${name}`);
        });
      expect(changed).toEqual([]);
    });
  },
);
