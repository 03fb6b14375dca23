import type { LogRecord } from '../../trace/log-record.ts';
import type { Trace } from '../../trace/trace.ts';
import { contentOf, isObject } from '../content.ts';
import { messagesOf } from '../messages/messages.ts';
import type { Reader } from '../reading.ts';
import type { Json, Message } from '../run.ts';

const indexes = new WeakMap<Trace, ReadonlyMap<string, readonly LogRecord[]>>();

/** The log records of one span, in order of time. */
export function recordsOf(trace: Trace, spanId: string): readonly LogRecord[] {
  if (trace.logs.length === 0) return [];
  let index = indexes.get(trace);
  if (index === undefined) {
    const bySpan = new Map<string, LogRecord[]>();
    for (const record of trace.logs) {
      const list = bySpan.get(record.spanId);
      if (list === undefined) bySpan.set(record.spanId, [record]);
      else list.push(record);
    }
    index = bySpan;
    indexes.set(trace, index);
  }
  return index.get(spanId) ?? [];
}

const history = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** v1.28 to v1.36: one record per message of the history. */
export const loggedHistory: Reader<readonly Message[]> = ({ spanId }, trace) => {
  const found = recordsOf(trace, spanId).flatMap((record) => {
    const role = history.exec(record.eventName)?.[1];
    return role === undefined ? [] : messagesOf(withRole(contentOf(record.body), role));
  });
  return found.length > 0 ? { value: found, from: 'log gen_ai.user.message' } : undefined;
};

/** v1.28 to v1.36: one record per choice of the answer. */
export const loggedAnswer: Reader<readonly Message[]> = ({ spanId }, trace) => {
  const found = recordsOf(trace, spanId)
    .filter(({ eventName }) => eventName === 'gen_ai.choice')
    .flatMap(({ body }) => messagesOf(choiceOf(contentOf(body)), 'assistant'));
  return found.length > 0 ? { value: found, from: 'log gen_ai.choice' } : undefined;
};

/** Why it stopped, on the record of the choice. */
export const loggedFinish: Reader<string> = ({ spanId }, trace) => {
  for (const { eventName, body } of recordsOf(trace, spanId)) {
    const told = eventName === 'gen_ai.choice' ? contentOf(body) : undefined;
    const word = isObject(told) ? told['finish_reason'] : undefined;
    if (typeof word === 'string' && word !== '') return { value: word, from: 'log gen_ai.choice' };
  }
  return undefined;
};

/** v1.37 and later: everything on one details record. */
export function loggedDetail(key: string, role: string): Reader<readonly Message[]> {
  return ({ spanId }, trace) => {
    for (const { attributes, body } of recordsOf(trace, spanId)) {
      const inBody = contentOf(body);
      const value = contentOf(attributes.get(key)) ?? (isObject(inBody) ? inBody[key] : undefined);
      const found = messagesOf(value, role);
      if (found.length > 0) return { value: found, from: `log ${key}` };
    }
    return undefined;
  };
}

/** A tool message names the call that it answers `id`. */
function withRole(body: Json | undefined, role: string): Json | undefined {
  if (!isObject(body)) return body;
  return role === 'tool' ? { ...body, role, tool_call_id: body['id'] ?? null } : { role, ...body };
}

function choiceOf(body: Json | undefined): Json | undefined {
  if (!isObject(body)) return body;
  const message = isObject(body['message']) ? body['message'] : {};
  return {
    role: 'assistant',
    ...message,
    ...(body['tool_calls'] === undefined ? {} : { tool_calls: body['tool_calls'] }),
  };
}
