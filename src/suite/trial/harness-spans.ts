import { IdDigest } from '../../trace/id-digest.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Resource, Scope, Span } from '../../trace/span.ts';
import type { DrivenStep } from './drive-target.ts';

const resource: Resource = {
  attributes: new Map([['service.name', 'otel-eval']]),
  droppedAttributesCount: 0,
};
const scope: Scope = { name: 'otel-eval', version: '', attributes: new Map(), droppedAttributesCount: 0 };

/**
 * The spans of the harness: one for the trial, one below it for each step, with a receipt of their own. Steps of a trial
 * share a trace; these are what holds them together.
 */
export function harnessSpans(traceId: string, trialSpanId: string, steps: readonly DrivenStep[]): Span[] {
  const asked = steps.filter(({ spanId }) => spanId !== '');
  const digest = new IdDigest();
  for (const id of [trialSpanId, ...asked.map(({ spanId }) => spanId)]) digest.add(id);
  const receipt = new Map<string, string | number>([
    [ownAttributes.receiptSpans, asked.length + 1],
    [ownAttributes.receiptOpen, 0],
    [ownAttributes.receiptDigest, digest.hex()],
  ]);
  const span = (spanId: string, index: number, fields: Pick<Span, 'name' | 'parentSpanId'> & Times): Span => ({
    ...blank,
    traceId,
    spanId,
    name: fields.name,
    parentSpanId: fields.parentSpanId,
    startUnixNano: nanoseconds(fields.startUnixMs),
    endUnixNano: nanoseconds(fields.endUnixMs),
    attributes: new Map<string, string | number>([
      [ownAttributes.segment, trialSpanId],
      [ownAttributes.eventIndex, index],
      ...(index === 0 ? receipt : []),
    ]),
  });
  const startUnixMs = Math.min(...steps.map((step) => step.startUnixMs));
  const endUnixMs = Math.max(...steps.map((step) => step.endUnixMs));
  return [
    span(trialSpanId, 0, { name: 'otel_eval trial', parentSpanId: undefined, startUnixMs, endUnixMs }),
    ...asked.map((step, at) =>
      span(step.spanId, at + 1, {
        name: 'otel_eval step',
        parentSpanId: trialSpanId,
        startUnixMs: step.startUnixMs,
        endUnixMs: step.endUnixMs,
      }),
    ),
  ];
}

interface Times {
  readonly startUnixMs: number;
  readonly endUnixMs: number;
}

const blank: Omit<
  Span,
  'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'startUnixNano' | 'endUnixNano' | 'attributes'
> = {
  kind: 'internal',
  status: { code: 'unset', message: '' },
  events: [],
  links: [],
  resource,
  scope,
  traceState: '',
  flags: 1,
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
};

function nanoseconds(unixMs: number): bigint {
  return BigInt(Math.round(unixMs)) * 1_000_000n;
}
