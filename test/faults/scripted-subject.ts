import type { RequestGuard } from '../../src/faults/core-227/preflight.ts';
import type { Core227Subject } from '../../src/faults/core-227/run-trial.ts';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { toolCall } from '../../src/instrument/tool-call.ts';

export type Asked = readonly (readonly ['read_value' | 'record_value', object])[];
export const read: Asked = [['read_value', {}]];
export const store = (value: number): Asked => [['record_value', { value }]];
export const script: readonly (Asked | string)[] = [read, read, store(42), '42'];
export const controls = { maxTokens: 256, maxRetries: 0, cache: false, callbacks: null };

export interface Quirks {
  readonly finish?: string | null;
  /** What the model is sent of a read that failed; by default its error. */
  readonly mapError?: (error: unknown) => unknown;
  /** What the agent is told before all else. */
  readonly prompt?: string;
  readonly route?: string;
  /** It asks the guard before each request, as a subject must. */
  readonly guarded?: boolean;
}

/** A loop with a model that says the same whatever it sees, or what a function of all messages says. */
export function scripted(
  turns: readonly (Asked | string)[] | ((messages: readonly object[]) => Asked | string),
  {
    finish = 'stop',
    mapError = (error) => ({ error: String(error) }),
    guarded = true,
    prompt,
    route = 'native',
  }: Quirks = {},
): Core227Subject<RequestGuard> {
  return {
    route,
    controls,
    createModel: (guard) => guard,
    construct: (guard, tools) => () =>
      agentRun({ name: route, instrumented: 'all' }, async () => {
        const messages: object[] =
          prompt === undefined ? [] : [{ role: 'system', parts: [{ type: 'text', content: prompt }] }];
        for (let at = 0; typeof turns === 'function' || at < turns.length; at += 1) {
          if (guarded) guard.before();
          const turn = typeof turns === 'function' ? turns(messages) : (turns[at] ?? '');
          const parts =
            typeof turn === 'string'
              ? [{ type: 'text', content: turn }]
              : turn.map(([name, args], i) => ({ type: 'tool_call', id: `c${at}-${i}`, name, arguments: { ...args } }));
          const output = [{ role: 'assistant', parts }];
          await modelCall({ model: 'scripted-1', provider: 'scripted', input: [...messages] }, async (response) => {
            const reasons = typeof turn === 'string' ? finish : 'tool_calls';
            response({ output, ...(reasons === null ? {} : { finishReasons: [reasons] }) });
          });
          messages.push(...output);
          if (typeof turn === 'string') return;
          for (const [i, [name, args]] of turn.entries()) {
            const callId = `c${at}-${i}`;
            let response: unknown;
            try {
              response = await toolCall({ name, callId, arguments: args }, async () =>
                tools[name](args as { value: number }),
              );
            } catch (error) {
              response = mapError(error);
            }
            messages.push({ role: 'tool', parts: [{ type: 'tool_call_response', id: callId, response }] });
          }
        }
      }),
  };
}
