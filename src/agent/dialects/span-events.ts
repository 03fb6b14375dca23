import { contentOf } from '../content.ts';
import type { Reader } from '../reading.ts';
import type { Json } from '../run.ts';

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
