import { type AttributeTest, type TextTest, valueTest } from './attribute-test.ts';
import type { AttributeValue } from './attributes.ts';
import { endedBefore } from './ended-before.ts';
import type { Span, SpanKind, StatusCode } from './span.ts';
import type { Trace } from './trace.ts';

/** `agent`, `model`, `tool` …: what a span tells of, as the dialects read it. */
export type SpanStepKind =
  | 'agent'
  | 'model'
  | 'tool'
  | 'retrieval'
  | 'memory'
  | 'handoff'
  | 'human-input'
  | 'guardrail'
  | 'other';

/** Which spans are meant: plain data, all of it must hold. An empty query means every span. */
export interface SpanQuery {
  readonly name?: TextTest | undefined;
  readonly kind?: SpanKind | { readonly oneOf: readonly SpanKind[] } | { readonly not: SpanKind } | undefined;
  readonly status?: StatusCode | { readonly oneOf: readonly StatusCode[] } | { readonly not: StatusCode } | undefined;
  /** `service.name` of its resource. */
  readonly service?: TextTest | undefined;
  /** Name of its instrumentation scope. */
  readonly scope?: TextTest | undefined;
  readonly attributes?: AttributeTests | undefined;
  /** Attributes of its resource. */
  readonly resource?: AttributeTests | undefined;
  /** Attributes of its instrumentation scope. */
  readonly scopeAttributes?: AttributeTests | undefined;
  /** It has an event of this name. */
  readonly event?: TextTest | undefined;
  readonly step?: SpanStepKind | undefined;
  /** Its parent matches. */
  readonly childOf?: SpanQuery | undefined;
  /** Some ancestor matches. */
  readonly under?: SpanQuery | undefined;
  /** Some child matches. */
  readonly parentOf?: SpanQuery | undefined;
  /** Some descendant matches. */
  readonly above?: SpanQuery | undefined;
  /** Some span that matches started before it and had ended when it began. */
  readonly after?: SpanQuery | undefined;
  /** Each of these matches. */
  readonly all?: readonly SpanQuery[] | undefined;
  /** At least one of these matches. */
  readonly any?: readonly SpanQuery[] | undefined;
  /** This one does not match. */
  readonly not?: SpanQuery | undefined;
}

export interface AttributeTests {
  readonly [key: string]: AttributeTest;
}

export interface QueryContext {
  readonly trace: Trace;
  /** What a span tells of; without it no span matches a query by step. */
  readonly stepKindOf?: (span: Span) => SpanStepKind | undefined;
}

type SpanTest = (span: Span) => boolean;

/**
 * Compiles a query for one trace. Each span is looked at once for each level of the query, also when it asks for
 * ancestors.
 *
 * @example
 * trace.spans.filter(compileSpanQuery({ name: { startsWith: 'chat' }, under: { name: 'plan' } }, { trace }));
 */
export function compileSpanQuery(query: SpanQuery, context: QueryContext): SpanTest {
  const tests = [...ownTests(query, context), ...kinshipTests(query, context)];
  const { after, all = [], any, not } = query;
  if (after !== undefined) tests.push(laterTest(compileSpanQuery(after, context), context.trace));
  for (const one of all) tests.push(compileSpanQuery(one, context));
  if (any !== undefined) {
    const some = any.map((one) => compileSpanQuery(one, context));
    tests.push((span) => some.some((test) => test(span)));
  }
  if (not !== undefined) {
    const test = compileSpanQuery(not, context);
    tests.push((span) => !test(span));
  }
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (span) => tests.every((test) => test(span));
}

function ownTests(query: SpanQuery, context: QueryContext): SpanTest[] {
  const tests: SpanTest[] = [];
  const { name, kind, status, service, scope, event, step } = query;
  const add = (test: AttributeTest | undefined, read: (span: Span) => AttributeValue | undefined): void => {
    if (test === undefined) return;
    const passes = valueTest(test);
    tests.push((span) => passes(read(span)));
  };
  add(name, (span) => span.name);
  add(kind, (span) => span.kind);
  add(status, (span) => span.status.code);
  add(service, (span) => span.resource.attributes.get('service.name'));
  add(scope, (span) => span.scope.name);
  if (event !== undefined) {
    const passes = valueTest(event);
    tests.push((span) => span.events.some((one) => passes(one.name)));
  }
  if (step !== undefined) tests.push((span) => context.stepKindOf?.(span) === step);
  for (const [key, test] of Object.entries(query.attributes ?? {})) {
    add(test, (span) => span.attributes.get(key));
  }
  for (const [key, test] of Object.entries(query.resource ?? {})) {
    add(test, (span) => span.resource.attributes.get(key));
  }
  for (const [key, test] of Object.entries(query.scopeAttributes ?? {})) {
    add(test, (span) => span.scope.attributes.get(key));
  }
  return tests;
}

function kinshipTests({ childOf, under, parentOf, above }: SpanQuery, context: QueryContext): SpanTest[] {
  const { trace } = context;
  return [
    ...(childOf === undefined ? [] : [parentTest(compileSpanQuery(childOf, context), trace)]),
    ...(under === undefined ? [] : [ancestorTest(compileSpanQuery(under, context), trace)]),
    ...(parentOf === undefined ? [] : [childTest(compileSpanQuery(parentOf, context), trace)]),
    ...(above === undefined ? [] : [descendantTest(compileSpanQuery(above, context), trace)]),
  ];
}

/** The spans of a trace that match, in causal order. */
export function selectSpans(query: SpanQuery, context: QueryContext): readonly Span[] {
  return context.trace.spans.filter(compileSpanQuery(query, context));
}

function parentIn(span: Span, trace: Trace): Span | undefined {
  return span.parentSpanId === undefined ? undefined : trace.spansById.get(span.parentSpanId);
}

function parentTest(test: SpanTest, trace: Trace): SpanTest {
  return (span) => {
    const parent = parentIn(span, trace);
    return parent !== undefined && test(parent);
  };
}

function ancestorTest(test: SpanTest, trace: Trace): SpanTest {
  const known = new Map<string, boolean>();
  return (span) => {
    const path: Span[] = [];
    let answer = false;
    for (let at: Span | undefined = span; at !== undefined; at = parentIn(at, trace)) {
      const before = known.get(at.spanId);
      if (before !== undefined) {
        answer = before;
        break;
      }
      // Marks the way, so that a cycle ends here.
      known.set(at.spanId, false);
      path.push(at);
    }
    for (const at of path.reverse()) {
      const parent = parentIn(at, trace);
      answer = parent !== undefined && (answer || test(parent));
      known.set(at.spanId, answer);
    }
    return answer;
  };
}

function childTest(test: SpanTest, trace: Trace): SpanTest {
  let parents: Set<string | undefined> | undefined;
  return (span) => {
    parents ??= new Set(trace.spans.filter(test).map((one) => one.parentSpanId));
    return parents.has(span.spanId);
  };
}

function descendantTest(test: SpanTest, trace: Trace): SpanTest {
  let ancestors: Set<string> | undefined;
  return (span) => {
    ancestors ??= ancestorsOf(trace.spans.filter(test), trace);
    return ancestors.has(span.spanId);
  };
}

function laterTest(test: SpanTest, { spans }: Trace): SpanTest {
  let isLater: SpanTest | undefined;
  return (span) => {
    isLater ??= endedBefore(spans.filter(test));
    return isLater(span);
  };
}

/** Ids of all spans above these. Each is passed once; so a cycle ends, too. */
function ancestorsOf(spans: readonly Span[], trace: Trace): Set<string> {
  const ancestors = new Set<string>();
  for (const span of spans) {
    let at = parentIn(span, trace);
    while (at !== undefined && !ancestors.has(at.spanId)) {
      ancestors.add(at.spanId);
      at = parentIn(at, trace);
    }
  }
  return ancestors;
}
