import type { FactValues } from '../../agent/dialect.ts';
import type { Layer } from '../../agent/layer.ts';
import { layersOf } from '../../agent/layers.ts';
import type { Run, Step, ToolCall, Usage } from '../../agent/run.ts';
import { displayName } from '../../trace/display-name.ts';
import type { Span } from '../../trace/span.ts';
import type { Trace } from '../../trace/trace.ts';

/** How one span was read: what it is, by which convention, each fact with the key it came from. No content. */
export function explainSpan(span: Span, trace: Trace, run: Run): string[] {
  const layer = layersOf(trace).find((each) => each.span === span);
  return [
    `span ${span.spanId} "${displayName(span.name)}" of trace ${trace.traceId}`,
    ...fields([
      ['place', placeOf(span, trace)],
      ['kind', `${span.kind}, status ${span.status.code}`],
      ['scope', [span.scope.name, span.scope.version].filter(Boolean).map(displayName).join(' ') || '(none)'],
      ['read as', readAs(layer)],
      ...factsOf(layer),
      ...run.steps.filter(({ spans }) => spans.includes(span)).flatMap((step) => stepFields(step, span)),
      ['run', `${displayName(run.runId ?? run.conversationId ?? trace.traceId)}, told apart by ${run.boundary}`],
      ['not read', unread(span, layer)],
    ]),
  ];
}

type Field = readonly [name: string, value: string];

function fields(all: readonly Field[]): string[] {
  return all.filter(([, value]) => value !== '').map(([name, value]) => `  ${name.padEnd(16)}${value}`);
}

function placeOf(span: Span, trace: Trace): string {
  const children = trace.childrenOf(span.spanId).length;
  const below = `${children} ${children === 1 ? 'child' : 'children'}`;
  if (span.parentSpanId === undefined) return `root, ${below}`;
  const parent = trace.spansById.get(span.parentSpanId);
  if (parent === undefined) return `orphan: its parent ${span.parentSpanId} was not collected; ${below}`;
  return `child of ${span.parentSpanId} "${displayName(parent.name)}", ${below}`;
}

function readAs(layer: Layer | undefined): string {
  if (layer === undefined) return 'a plain span: no convention knows its scope or its keys';
  const { dialect, span, kind } = layer;
  const why = dialect.scopes?.test(span.scope.name) === true ? 'by its scope' : 'by its keys';
  return `${kind}, in the words of ${dialect.name} (${why})`;
}

const content: ReadonlySet<keyof FactValues> = new Set(['arguments', 'result', 'inputMessages', 'outputMessages']);

function factsOf(layer: Layer | undefined): Field[] {
  if (layer === undefined) return [];
  const facts = Object.keys(layer.dialect.facts) as (keyof FactValues)[];
  return facts.flatMap((fact): Field[] => {
    const found = layer.find(fact);
    return found === undefined
      ? []
      : [[spaced(fact), `${valueText(fact, found.value)}from ${displayName(found.from)}`]];
  });
}

/** Names, ids and counts; of content only that it is there. */
function valueText(fact: keyof FactValues, value: unknown): string {
  if (content.has(fact)) return 'there, ';
  if (fact === 'usage') return `${usageText(value as Usage)}, `;
  if (Array.isArray(value)) return `${value.length} of them, `;
  return typeof value === 'object' ? '' : `${displayName(String(value))}, `;
}

function usageText({ input, output }: Usage): string {
  return `${input ?? '?'} in, ${output ?? '?'} out`;
}

function stepFields({ kind, name, outcome, spans, toolCall }: Step, span: Span): Field[] {
  const others = spans.filter((each) => each !== span).map(({ spanId }) => spanId);
  return [
    ['step', `${kind}${name === null ? '' : ` ${displayName(name)}`}, ${outcome}`],
    ['told also by', others.join(', ')],
    ...(toolCall === undefined ? [] : callFields(toolCall)),
  ];
}

function callFields({ evidence, attempt, operation, readFrom }: ToolCall): Field[] {
  return [
    ['evidence', evidence.join(', ') || 'none'],
    [
      'attempt',
      attempt === null ? 'unknown: its arguments are not in the trace' : `${attempt} of operation ${operation}`,
    ],
    ['call read from', readFrom.map(displayName).join(', ')],
  ];
}

/** Keys of the span that told nothing. */
function unread(span: Span, layer: Layer | undefined): string {
  const read = new Set([...(layer?.read.values() ?? [])].flatMap((found) => (found === undefined ? [] : [found.from])));
  const keys = [...span.attributes.keys()].filter((key) => ![...read].some((from) => from.includes(key)));
  const shown = keys.slice(0, 12).map(displayName);
  const more = keys.length > shown.length ? `, … ${keys.length - shown.length} more` : '';
  return shown.length === 0 ? '' : `${shown.join(', ')}${more}`;
}

/** `toolName` → `tool name`. */
function spaced(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
