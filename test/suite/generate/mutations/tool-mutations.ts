import type { Run, ToolCall } from '../../../../src/agent/run.ts';
import type { Span } from '../../../../src/trace/span.ts';
import { again, areLeaves, failed, isMarkedFailed, renamed, replaced, unmarked, without } from './span-edits.ts';
import type { TraceMutation } from './trace-mutation.ts';

/** What a run may do otherwise with its tools. */
export const toolMutations: Readonly<Record<string, TraceMutation>> = {
  'a tool call is missing': ({ spans, run }) => {
    const call = run.toolCalls.findLast((each) => areLeaves(each.spans, spans));
    return call && without(spans, call.spans);
  },
  'a tool is called a second time': ({ spans, run }) => {
    const call = lastThatRan(run);
    return call && [...spans, ...again(call.spans, idOf(call))];
  },
  'a tool is called in a loop': ({ spans, run }) => {
    const call = lastThatRan(run);
    return call && [...spans, ...again(call.spans, idOf(call), 20)];
  },
  'two tools change places': ({ spans, run }) => {
    // The very first, whether it is known to have run or not: behind an earlier call of its tool it would change no order.
    const first = run.toolCalls.find(({ spans: [span] }) => span !== undefined);
    const last = run.toolCalls.findLast((call) => ran(call) && call.name !== first?.name);
    if (first === undefined || last === undefined) return undefined;
    const [a, b] = [first, last].map(({ spans: [span] }) => span as Span) as [Span, Span];
    // Both stand in one trace: between traces there is no order to change.
    if ([...first.spans, ...last.spans].some(({ traceId }) => traceId !== a.traceId)) return undefined;
    if (b.startUnixNano < (a.endUnixNano ?? a.startUnixNano)) return undefined;
    return replaced(
      replaced(spans, first.spans, (span) => at(span, b)),
      last.spans,
      (span) => at(span, a),
    );
  },
  'another tool is called': ({ spans, run }) => {
    const call = lastThatRan(run);
    const name = call?.name ?? '';
    if (call === undefined || !isNamed(call, name)) return undefined;
    return replaced(spans, call.spans, (span) => renamed(span, name, 'delete_account'));
  },
  'a tool is called that never was': ({ spans, run }) => {
    const call = lastThatRan(run);
    const name = call?.name ?? '';
    if (call === undefined || !isNamed(call, name)) return undefined;
    return [...spans, ...again(call.spans, [...idOf(call), [name, 'delete_account']])];
  },
  'a tool call fails': ({ spans, run }) => {
    const call = lastThatRan(run);
    return call && replaced(spans, call.spans, failed);
  },
  'a failed tool call looks like a success': ({ spans, run }) => {
    const call = run.toolCalls.findLast((each) => each.spans.some(isMarkedFailed));
    return call && replaced(spans, call.spans, unmarked);
  },
  'a tool call fails and is tried again': ({ spans, run }) => {
    const call = lastThatRan(run);
    return call && [...replaced(spans, call.spans, failed), ...again(call.spans, idOf(call))];
  },
};

/** It left spans, was carried out, and did not fail. */
function lastThatRan({ toolCalls }: Run): ToolCall | undefined {
  return toolCalls.findLast((call) => ran(call) && call.outcome !== 'failed');
}

function ran({ spans, outcome }: ToolCall): boolean {
  return spans.length > 0 && !['unknown', 'denied', 'notRun'].includes(outcome);
}

/** Its spans tell its name, and another name there is another tool. */
function isNamed({ spans }: ToolCall, name: string): boolean {
  return name !== '' && spans.some((span) => renamed(span, name, '').name !== span.name || holds(span, name));
}

function holds({ attributes }: Span, name: string): boolean {
  return [...attributes.values()].includes(name);
}

function idOf({ callId }: ToolCall): [string, string][] {
  return callId === null ? [] : [[callId, `${callId}_again`]];
}

function at(span: Span, { startUnixNano, endUnixNano }: Span): Span {
  return { ...span, startUnixNano, endUnixNano };
}
