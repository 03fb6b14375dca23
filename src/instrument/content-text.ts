import { roughSize } from './rough-size.ts';

const largest = 1_048_576;

/** A value as JSON; `undefined` where it is too large, cyclic, or throws when it is read. */
export function contentText(value: unknown): string | undefined {
  try {
    if (value === undefined || roughSize(value, largest) > largest) return undefined;
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Messages of the convention; a text is the one message of its role. */
export function messagesText(messages: unknown, role: 'user' | 'assistant'): string | undefined {
  if (typeof messages !== 'string') return contentText(messages);
  return contentText([{ role, parts: [{ type: 'text', content: messages }] }]);
}

/** Only the attributes that have a value. */
export function present<Value>(attributes: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  const out: Record<string, Value> = {};
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) out[key] = value;
  return out;
}
