import type { AttributeValue } from '../trace/attributes.ts';
import { cutLoss, mayBeCut } from '../trace/cut-values.ts';
import type { Span } from '../trace/span.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import type { Json } from './run.ts';

const cutKeys = new WeakMap<Span, ReadonlySet<string>>();
let anySeen = false;

/** Remembers which values of a trace its server has cut: what is left of a structure cannot be read. */
export function noteCuts({ trace, facts }: CollectedTrace): void {
  if (!facts.losses.some((loss) => loss.includes(' cut at '))) return;
  const losses = new Set(facts.losses);
  for (const span of trace.spans) {
    const keys = [...span.attributes.keys()].filter((key) => losses.has(cutLoss('attribute', key, span.spanId)));
    if (keys.length > 0) cutKeys.set(span, new Set(keys));
    anySeen ||= keys.length > 0;
  }
}

/** Whether a fact was read from an attribute that was cut; `all.*` is spread over many. */
export function isReadFromCut(span: Span, from: string): boolean {
  if (!anySeen) return false;
  const keys = cutKeys.get(span);
  if (keys === undefined) return false;
  return keys.has(from) || (from.endsWith('.*') && [...keys].some((key) => key.startsWith(from.slice(0, -1))));
}

/** Of a text the beginning is left; of a structure nothing. */
export function isBrokenOff(span: Span, key: string): boolean {
  return isReadFromCut(span, key) && beginsStructure(span.attributes.get(key));
}

/** The same of a value of which the key is not known. */
export function isCutHere(span: Span, value: AttributeValue): boolean {
  return anySeen && [...(cutKeys.get(span) ?? [])].some((key) => span.attributes.get(key) === value);
}

/** What a message tells of a call, unless it is a structure that was cut. */
export function unlessBroken(value: Json | undefined): Json | undefined {
  return anySeen && typeof value === 'string' && beginsStructure(value) && mayBeCut(value) ? undefined : value;
}

export function beginsStructure(value: AttributeValue | undefined): boolean {
  return typeof value === 'string' && /^\s*[{["]/.test(value);
}
