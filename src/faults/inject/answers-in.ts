const deepest = 16;
/** What a request to a tool has, and an answer of it has not. */
const requestKeys = ['arguments', 'args', 'input', 'function', 'tool_calls', 'toolCalls'];

/**
 * The parts of a model request, as JSON, that answer one tool call: objects that hold its id and are not the call itself.
 * `undefined` where the request is in no form that tells.
 */
export function answersIn(request: string, callId: string): readonly string[] | undefined {
  const found: object[] = [];
  collect(parsed(request), callId, found, 0);
  if (found.length === 0) return undefined;
  return found.filter((each) => !isCall(each)).map((each) => JSON.stringify(each));
}

function isCall(node: object): boolean {
  return requestKeys.some((key) => Object.hasOwn(node, key));
}

function collect(value: unknown, callId: string, found: object[], depth: number): void {
  if (depth > deepest) return;
  if (typeof value === 'string') {
    if (/^\s*[{[]/.test(value) && value.includes(callId)) collect(parsed(value), callId, found, depth + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const members: unknown[] = Object.values(value);
  if (members.includes(callId)) found.push(value);
  else for (const member of members) collect(member, callId, found, depth + 1);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
