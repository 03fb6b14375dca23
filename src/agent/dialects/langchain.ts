import { isObject, parsed } from '../content.ts';
import type { ToolMark } from '../dialect.ts';
import { messagesOf } from '../messages/messages.ts';
import type { Reader } from '../reading.ts';
import type { Json, Message } from '../run.ts';

// A LangChain tool gives back a ToolMessage, which instrumentations serialise whole: the call id and whether the call
// failed are only in there.

type ToolAnswer = Message['toolResults'][number];

function toolMessage(value: Json): ToolAnswer | undefined {
  if (typeof value === 'string') return repr(value);
  if (!isObject(value)) return undefined;
  const inner = value['output'];
  if (typeof inner === 'string') return repr(inner);
  if (!looksSerialised(value) && !looksSerialised(inner)) return undefined;
  return messagesOf(isObject(inner) ? inner : value, 'tool').flatMap(({ toolResults }) => toolResults)[0];
}

function looksSerialised(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    (value['lc'] !== undefined ||
      value['tool_call_id'] !== undefined ||
      isObject(value['kwargs']) ||
      isObject(value['data']))
  );
}

/** Python's `content='…' name='lookup' tool_call_id='call_1'`, as `str()` of a message writes it. */
function repr(value: string): ToolAnswer | undefined {
  const match = /^content='((?:[^'\\]|\\.)*)'(.*)\btool_call_id='([^']+)'(.*)$/s.exec(value);
  if (match === null) return undefined;
  const [, text = '', before = '', id = null, after = ''] = match;
  const rest = `${before}${after}`;
  const status = /\bstatus='(\w+)'/.exec(rest)?.[1];
  return {
    id,
    name: /\bname='([^']+)'/.exec(rest)?.[1] ?? null,
    result: parsed(text.replace(/\\'/g, "'").replace(/\\\\/g, '\\')),
    failed: status === 'error' ? true : undefined,
  };
}

export function langChainResult(output: Reader<Json>): Reader<Json> {
  return (span, trace) => {
    const found = output(span, trace);
    if (found === undefined) return undefined;
    const answer = toolMessage(found.value);
    if (answer === undefined)
      return {
        ...found,
        value:
          isObject(found.value) && Object.keys(found.value).length === 1 && found.value['output'] !== undefined
            ? (found.value['output'] as Json)
            : found.value,
      };
    return answer.result === undefined ? undefined : { value: answer.result, from: found.from };
  };
}

export function langChainCallId(output: Reader<Json>): Reader<string> {
  return (span, trace) => {
    const found = output(span, trace);
    const id = found === undefined ? undefined : toolMessage(found.value)?.id;
    return found === undefined || id === undefined || id === null ? undefined : { value: id, from: found.from };
  };
}

export function langChainName(output: Reader<Json>): Reader<string> {
  return (span, trace) => {
    const found = output(span, trace);
    const name = found === undefined ? undefined : toolMessage(found.value)?.name;
    return found === undefined || name === undefined || name === null ? undefined : { value: name, from: found.from };
  };
}

/** `status: 'error'` of the message: the tool failed and the framework told the model so. */
export function langChainMark(output: Reader<Json>): Reader<ToolMark> {
  return (span, trace) => {
    const found = output(span, trace);
    const failed = found === undefined ? undefined : toolMessage(found.value)?.failed;
    return found === undefined || failed !== true ? undefined : { value: 'failed', from: found.from };
  };
}
