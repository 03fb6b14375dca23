import { contentOf } from '../content.ts';
import { messagesOf } from '../messages/messages.ts';
import type { Reader } from '../reading.ts';
import type { Json, Message } from '../run.ts';

/** Content in an attribute of the last span event of that name which holds it. */
export function eventContent(event: string, key: string): Reader<Json> {
  return ({ events }) => {
    for (let i = events.length - 1; i >= 0; i -= 1) {
      const found = events[i];
      if (found?.name !== event) continue;
      const value = contentOf(found.attributes.get(key));
      if (value !== undefined) return { value, from: `event ${event}` };
    }
    return undefined;
  };
}

/** A plain word in an attribute of a span event. */
export function eventWord(event: string, key: string): Reader<string> {
  return ({ events }) => {
    const value = events.findLast(({ name }) => name === event)?.attributes.get(key);
    return typeof value === 'string' && value !== '' ? { value, from: `event ${event}` } : undefined;
  };
}

/** Messages in an attribute of the last span event of that name. */
export function eventMessages(event: string, key: string, role: string): Reader<readonly Message[]> {
  const read = eventContent(event, key);
  return (span, trace) => {
    if (span.events.length === 0) return undefined;
    const found = read(span, trace);
    const value = messagesOf(found?.value, role);
    return found === undefined || value.length === 0 ? undefined : { value, from: found.from };
  };
}

/** The details record of v1.37 and later, written as a span event. */
export function eventDetail(key: string, role: string): Reader<readonly Message[]> {
  return eventMessages('gen_ai.client.inference.operation.details', key, role);
}

const told = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** The history, one span event per message. */
export const eventHistory: Reader<readonly Message[]> = ({ events }) => {
  const found = events
    .filter(({ name }) => told.test(name))
    .flatMap(({ name, attributes }) => messagesOf(contentOf(attributes.get('content')), told.exec(name)?.[1] ?? ''));
  return found.length > 0 ? { value: found, from: 'event gen_ai.user.message' } : undefined;
};
