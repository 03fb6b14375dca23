import type { ModelCall, Run, ToolCall } from '../../agent/run.ts';
import { displayName } from '../../trace/display-name.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span } from '../../trace/span.ts';
import type { SpanFact } from './waterfall.ts';

/** What is told of each span of a run: names, ids, counts; never a value that could be content. */
export function spanFacts(run: Run): (span: Span) => readonly SpanFact[] {
  const calls = new Map<Span, readonly SpanFact[]>();
  for (const call of run.modelCalls) for (const span of call.spans) calls.set(span, modelFacts(call));
  for (const call of run.toolCalls) for (const span of call.spans) calls.set(span, toolFacts(call));
  return (span) => [...ownFacts(span), ...(calls.get(span) ?? []), ...counts(span)];
}

function ownFacts({ parentSpanId, kind, status, resource, scope }: Span): SpanFact[] {
  const service = resource.attributes.get('service.name');
  const { name, version } = scope;
  return [
    ['parent', parentSpanId ?? 'none'],
    ['kind', kind],
    ['status', status.code],
    ...named('service', typeof service === 'string' ? service : null),
    ...named('scope', name === '' ? null : `${name}${version === '' ? '' : ` ${version}`}`),
  ];
}

function modelFacts({ model, agent, usage, finish, calls }: ModelCall): SpanFact[] {
  const tokens = (name: string, count: number | null | undefined): SpanFact[] =>
    count === null || count === undefined ? [] : [[name, String(count)]];
  return [
    ...named('agent', agent),
    ...named('model', model),
    ...tokens('input tokens', usage?.input),
    ...tokens('output tokens', usage?.output),
    ...named('finish', finish),
    ...(calls === 1 ? [] : [['model calls', calls === null ? 'unknown' : String(calls)] as const]),
  ];
}

function toolFacts({ name, agent, outcome, attempt, callId, effect, evidence }: ToolCall): SpanFact[] {
  return [
    ...named('agent', agent),
    ...named('tool', name),
    ['outcome', outcome],
    ...(evidence.length === 0 ? [] : [['evidence', evidence.join(', ')] as const]),
    ...(attempt === null ? [] : [['attempt', String(attempt)] as const]),
    ...named('effect', effect),
    ...named('call id', callId),
  ];
}

function counts(span: Span): SpanFact[] {
  const dropped = span.droppedAttributesCount + span.droppedEventsCount + span.droppedLinksCount;
  const withheld = span.attributes.get(ownAttributes.withheldCount);
  const told: [string, number][] = [
    ['attributes', span.attributes.size],
    ['events', span.events.length],
    ['links', span.links.length],
    ['dropped', dropped],
    ['withheld', typeof withheld === 'number' || typeof withheld === 'bigint' ? Number(withheld) : 0],
  ];
  return told.filter(([, count]) => count > 0).map(([name, count]) => [name, String(count)]);
}

function named(name: string, value: string | null): SpanFact[] {
  return value === null ? [] : [[name, displayName(value)]];
}
