import { flatCopy } from './json-text.ts';
import { spanKinds } from './otlp-enum.ts';
import { hexSpanIdAt, readId } from './otlp-id.ts';
import { nineteenDigitsAt, shortInteger } from './otlp-integer.ts';
import { readEnum, readUint32 } from './otlp-json-field.ts';
import { readEvents, readLinks, readStatus } from './otlp-json-span.ts';
import { readAnyValue } from './otlp-json-value.ts';
import type { SpanRecord } from './span-record.ts';
import type { SpanText, TemplateStep, ValueReader } from './span-template.ts';

const [comma, closeObject] = [44, 125];
/** Longer texts are hardly ever repeated. */
const longestRemembered = 64;
const mostPlainTexts = 1_000;

/** A string whose opening quote was passed; its closing quote is next. Throws where it is no JSON. */
function textHere(at: SpanText, step: TemplateStep): string {
  if (step.takeLast(at)) return step.lastValue as string;
  const from = at.at;
  at.at = at.stringEnd(from);
  const text = JSON.parse(at.text.slice(from - 1, at.at + 1)) as string;
  const isPlain = text.length === at.at - from;
  if (isPlain && text.length <= longestRemembered && step.mayRepeat) step.remember(`${text}"`, text);
  return text;
}

/** Any other value, as `read` understands it; `undefined` where that finds something wrong. Throws where it is no JSON. */
function valueHere<T>(at: SpanText, step: TemplateStep, read: (value: unknown) => T): T | undefined {
  if (step.takeLast(at)) return step.lastValue as T;
  const from = at.at;
  const value = read(JSON.parse(at.rawValue() ?? ''));
  if (at.isInTrouble) return undefined;
  if (at.at - from < longestRemembered && step.mayRepeat)
    step.remember(flatCopy(at.text.slice(from, at.at + 1)), value);
  return value;
}

function traceId(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  if (step.takeLast(at)) {
    span.traceId = step.lastValue as string;
    return true;
  }
  const { shared } = at.trial;
  const given = at.text.slice(at.at, at.at + 32);
  if (given === '' || readId(given, 16) !== given) return false;
  span.traceId = shared.known(given) ?? shared.share(flatCopy(given));
  at.at += 32;
  if (step.mayRepeat) step.remember(`${span.traceId}"`, span.traceId);
  return true;
}

function spanId(at: SpanText, _: TemplateStep, span: SpanRecord): boolean {
  const id = hexSpanIdAt(at.text, at.at);
  if (id === undefined) return false;
  span.spanId = id;
  at.at += 16;
  return true;
}

function parentSpanId(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  if (step.takeLast(at)) {
    span.parentSpanId = step.lastValue as string;
    return true;
  }
  // Empty for a root.
  if (at.text[at.at] === '"') return true;
  const id = hexSpanIdAt(at.text, at.at);
  if (id === undefined) return false;
  span.parentSpanId = id;
  at.at += 16;
  if (step.mayRepeat) step.remember(`${id}"`, id);
  return true;
}

function time(member: 'startUnixNano' | 'endUnixNano'): ValueReader {
  return (at, _, span) => {
    const nanos = nineteenDigitsAt(at.text, at.at);
    if (nanos === undefined) return false;
    span[member] = nanos;
    at.at += 19;
    return true;
  };
}

/** Names alternate. One that is written as it reads, and was parsed once, needs no parsing. */
function name(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  const from = at.at;
  const end = at.text.indexOf('"', from);
  const known = step.plainTexts.get(at.text.slice(from, end));
  if (known === undefined) {
    span.name = at.trial.shared.share(textHere(at, step));
    const isPlain = span.name.length === at.at - from;
    if (isPlain && step.plainTexts.size < mostPlainTexts) step.plainTexts.set(span.name, span.name);
  } else {
    span.name = known;
    at.at = end;
  }
  return true;
}

function traceState(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  span.traceState = textHere(at, step);
  return true;
}

type Count = 'flags' | 'droppedAttributesCount' | 'droppedEventsCount' | 'droppedLinksCount';

function count(member: Count): ValueReader {
  return (at, step, span) => {
    const value = valueHere(at, step, (given) => readUint32(at.trial, given, member));
    if (value === undefined) return false;
    span[member] = value;
    return true;
  };
}

/** Kinds alternate; a number of one digit is the usual form. */
function kind(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  const usual = spanKinds.byNumber[at.text.charCodeAt(at.at) - 48];
  const after = at.text.charCodeAt(at.at + 1);
  if (usual !== undefined && (after === comma || after === closeObject)) {
    span.kind = usual;
    at.at += 1;
    return true;
  }
  const value = valueHere(at, step, (given) => readEnum(at.trial, given, spanKinds, 'kind'));
  if (value === undefined) return false;
  span.kind = value;
  return true;
}

function status(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  const value = valueHere(at, step, (given) => readStatus(at.trial, given));
  if (value === undefined) return false;
  span.status = value;
  return true;
}

function events(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  const value = valueHere(at, step, (given) => readEvents(at.trial, given));
  if (value === undefined) return false;
  span.events = value;
  return true;
}

function links(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  const value = valueHere(at, step, (given) => readLinks(at.trial, given));
  if (value === undefined) return false;
  span.links = value;
  return true;
}

/** The usual members of a span, in both spellings, and who reads them where they are a string and where they are not. */
export interface MemberReaders {
  readonly field: string;
  readonly ofText?: ValueReader;
  readonly ofOther?: ValueReader;
}

const members: readonly MemberReaders[] = [
  { field: 'traceId', ofText: traceId },
  { field: 'spanId', ofText: spanId },
  { field: 'parentSpanId', ofText: parentSpanId },
  { field: 'startTimeUnixNano', ofText: time('startUnixNano') },
  { field: 'endTimeUnixNano', ofText: time('endUnixNano') },
  { field: 'name', ofText: name },
  { field: 'traceState', ofText: traceState },
  { field: 'kind', ofOther: kind },
  { field: 'flags', ofOther: count('flags') },
  { field: 'droppedAttributesCount', ofOther: count('droppedAttributesCount') },
  { field: 'droppedEventsCount', ofOther: count('droppedEventsCount') },
  { field: 'droppedLinksCount', ofOther: count('droppedLinksCount') },
  { field: 'status', ofOther: status },
  { field: 'events', ofOther: events },
  { field: 'links', ofOther: links },
];

const spelling = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const memberReaders: ReadonlyMap<string, MemberReaders> = new Map(
  members.flatMap((member) => [
    [member.field, member],
    [spelling(member.field), member],
  ]),
);

export function textAttribute(at: SpanText, step: TemplateStep): boolean {
  at.addAttribute(textHere(at, step));
  return true;
}

/** An integer as text. */
export function integerAttribute(at: SpanText): boolean {
  const end = at.stringEnd(at.at);
  const value = end < 0 ? undefined : shortInteger(at.text.slice(at.at, end));
  if (value === undefined) return false;
  at.addAttribute(value);
  at.at = end;
  return true;
}

/** A double as a number. */
export function doubleAttribute(at: SpanText): boolean {
  const value: unknown = JSON.parse(at.rawValue() ?? '');
  if (typeof value !== 'number') return false;
  at.addAttribute(value);
  return true;
}

/** Whatever `AnyValue` stands here. */
export function anyAttribute(at: SpanText, step: TemplateStep): boolean {
  const value = valueHere(at, step, (given) => readAnyValue(at.trial, given, 'attributes', 0));
  if (value === undefined) return false;
  at.addAttribute(value);
  return true;
}

/** The end of a span. */
export function endOfSpan(at: SpanText, step: TemplateStep, span: SpanRecord): boolean {
  span.attributes = at.attributes(step.keys.shape);
  return true;
}
