import { contentRole } from '../trace/privacy/content-keys.ts';
import { textsIn } from '../trace/privacy/place-texts.ts';
import type { Sentinel } from '../trace/privacy/sentinel.ts';
import { type Place, placesOf, placesOfLog } from '../trace/privacy/span-places.ts';
import type { Span, SpanReference } from '../trace/span.ts';
import type { View } from './assertion.ts';
import { spansOf } from './run-spans.ts';

/** Where a secret came out: in what the agent or a call of it said, in an event, or in what tells of the run. */
export type Leak = 'response' | 'event' | 'diagnostic';

export interface SecretPlace {
  readonly leak: Leak;
  readonly place: string;
  readonly span: SpanReference;
}

export interface SecretReading {
  readonly leaks: readonly SecretPlace[];
  /** It stood where the agent could read it: in what a model was sent, a tool or a memory gave. */
  readonly wasThere: boolean;
}

/** Finds a secret in every place of a run, in any spelling. What a model was sent may hold it: there it was planted. */
export function findSecret(view: View, secret: Sentinel): SecretReading {
  const leaks: SecretPlace[] = [];
  let wasThere = false;
  const look = (place: Place, given: boolean, leak: Leak, span: SpanReference): void => {
    if (!textsIn(place.value).some(({ text }) => secret.isIn(text))) return;
    if (given) wasThere = true;
    else leaks.push({ leak, place: place.name, span });
  };
  for (const span of spansOf(view.run)) {
    for (const place of placesOf(span)) look(place, isGiven(place, span), leakAt(place), span);
  }
  for (const { logs, traceId } of view.run.traces) {
    for (const log of logs) {
      for (const place of placesOfLog(log)) look(place, false, 'diagnostic', { traceId, spanId: log.spanId });
    }
  }
  return { leaks, wasThere };
}

/** Older conventions put messages into events of these names. */
const inputEvents = /^gen_ai\.(system|user|tool)\.message$|^gen_ai\.content\.prompt$/;
const sources = new Set(['gen_ai.retrieval.documents', 'gen_ai.memory.records']);
const givenRoles = new Set(['instructions', 'input', 'result', 'definitions']);

function isGiven(place: Place, span: Span): boolean {
  if (place.kind !== 'attribute') return false;
  const event = eventOf(place, span);
  if (event !== undefined) return inputEvents.test(event);
  return sources.has(place.key) || givenRoles.has(contentRole(place.key) ?? '');
}

function eventOf({ name }: Place, { events }: Span): string | undefined {
  const [, ordinal] = /event (\d+)(?:,|$)/.exec(name) ?? [];
  return ordinal === undefined ? undefined : events[Number(ordinal) - 1]?.name;
}

function leakAt({ kind, key, name }: Place): Leak {
  const role = contentRole(key);
  if (kind === 'status message' || role === 'error') return 'diagnostic';
  if (/event \d+/.test(name)) return 'event';
  return role === 'output' || role === 'arguments' ? 'response' : 'diagnostic';
}
