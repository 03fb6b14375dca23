import { beforeAll, describe, expect, test } from 'vitest';
import { FaultSession, type FaultSessionOptions } from '../../src/faults/inject/fault-session.ts';
import { faultedFetch } from '../../src/faults/inject/faulted-fetch.ts';
import { wrapTools } from '../../src/faults/inject/wrap-tools.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { toolCall } from '../../src/instrument/tool-call.ts';
import { record, setUpTracing } from './recorder.ts';

beforeAll(setUpTracing);

const sessionOf = (row: object, more: Partial<FaultSessionOptions> = {}): FaultSession => {
  const plan = parseFaultPlan([{ task: 't', tool: 'get', ...row }]);
  return new FaultSession({ plan, row: plan.rows[0]!, ...more });
};
const word = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return (error as Error).name;
  }
};
const failed = 'ServiceUnavailableError';

describe('calls at once', () => {
  test.each<[string, object, unknown[]]>([
    ['the second', { occurrence: 2 }, ['a', failed, 'c', 'd']],
    ['two from the second on', { occurrence: 2, mode: { calls: 2 } }, ['a', failed, failed, 'd']],
    ['all', { mode: 'until_end' }, [failed, failed, failed, failed]],
    ['one that no call reaches', { occurrence: 1e9 }, ['a', 'b', 'c', 'd']],
  ])('%s of four is hit, each by its own place', async (_, row, seen) => {
    const { get } = wrapTools(sessionOf({ fault: 'http_503', ...row }), { get: async (id: string) => id });
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((id) => word(() => get(id))))).toEqual(seen);
  });

  test('each leaves its receipts on its own span', async () => {
    const session = sessionOf({ fault: 'http_503', mode: 'until_end' });
    const { get } = wrapTools(session, { get: async (id: string, _: object) => id });
    const { view } = await record(() =>
      Promise.all(
        ['c1', 'c2', 'c3'].map((callId) =>
          word(() => toolCall({ name: 'get', callId, arguments: { callId } }, async () => get('x', { callId }))),
        ),
      ),
    );
    const spans = view.run.traces.flatMap((trace) => trace.spans);
    const receipts = spans.map(({ attributes, events }) => [
      attributes.get('gen_ai.tool.call.id'),
      events.flatMap(({ name, attributes: own }) =>
        name.startsWith('otel_eval.fault.') ? [`${name.slice(16)} ${String(own.get('gen_ai.tool.call.id'))}`] : [],
      ),
    ]);
    // Three at once have no order.
    receipts.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    expect(receipts).toEqual(['c1', 'c2', 'c3'].map((id) => [id, [`matched ${id}`, `applied ${id}`]]));
  });
});

describe('calls within calls', () => {
  test('above the client the inner one is hit by its own name', async () => {
    const session = sessionOf({ tool: 'inner', fault: 'http_503' });
    const tools: Record<string, (args: object) => unknown> = wrapTools(session, {
      inner: (_: object) => 'inner',
      outer: async (_: object) => [await word(() => tools['inner']?.({})), await word(() => tools['inner']?.({}))],
    });
    expect(await tools['outer']?.({})).toEqual([failed, 'inner']);
  });

  test('below the client the requests of the inner one are not those of the outer one', async () => {
    const send = faultedFetch(async () => new Response('{}'));
    const status = async (): Promise<number> => (await send('http://tools.test/')).status;
    const session = sessionOf({ tool: 'outer', fault: 'http_503', point: 'below_client', mode: 'until_end' });
    const tools: Record<string, (args: object) => unknown> = wrapTools(session, {
      inner: (_: object) => status(),
      outer: async (_: object) => [await tools['inner']?.({}), await status()],
    });
    expect(await tools['outer']?.({})).toEqual([200, 503]);
  });
});

describe('two faults that mean one call', () => {
  test('the first that is written wins; the other waits for the next call', async () => {
    const also = [{ tool: 'get', arguments: { id: 1 }, fault: 'timeout' }];
    const { get } = wrapTools(sessionOf({ fault: 'http_503', also }), { get: (args: object) => args });
    const seen = [await word(() => get({ id: 1 })), await word(() => get({ id: 1 })), await word(() => get({ id: 1 }))];
    expect(seen).toEqual([failed, 'TimeoutError', { id: 1 }]);
  });
});

describe('clocks', () => {
  test('virtual seconds do not pass while a real timer runs; they pass by what is simulated', async () => {
    const session = sessionOf({ fault: 'http_503', mode: { virtualSeconds: 0.001 } });
    const { get } = wrapTools(session, { get: (args: object) => args });
    expect(await word(() => get({}))).toBe(failed);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await word(() => get({}))).toBe(failed);
    session.clock.advance(1);
    expect(await word(() => get({}))).toEqual({});
  });

  test('a day of timeout costs nothing, and is written down', async () => {
    const session = sessionOf({ fault: { kind: 'timeout', seconds: 86_400 } });
    const { get } = wrapTools(session, { get: (args: object) => args });
    expect(await word(() => get({}))).toBe('TimeoutError');
    expect(session.clock.nowMs).toBe(86_400_000);
  });
});

describe('tools that misbehave by themselves', () => {
  test.each(['timeout_but_applied', 'empty', 'latency'])(
    '%s: what the tool throws stays its own, and nothing was applied',
    async (fault) => {
      const session = sessionOf({ fault });
      const { view } = await record(async () => {
        const { get } = wrapTools(session, {
          get: (_: object): unknown => {
            throw new RangeError('at once');
          },
        });
        await toolCall({ name: 'get', callId: 'c1', arguments: {} }, async () => {
          expect(await word(() => get({}))).toBe('RangeError');
        });
      });
      const names = view.run.traces.flatMap(({ spans }) =>
        spans.flatMap(({ events }) => events.map(({ name }) => name)),
      );
      expect(names.filter((name) => name.startsWith('otel_eval.fault.'))).toEqual(['otel_eval.fault.matched']);
    },
  );

  test('one that is carried out although the fault cannot be made of it is carried out once', async () => {
    let times = 0;
    const { get } = wrapTools(sessionOf({ fault: { kind: 'malformed', field: 'nowhere' } }), {
      get: (_: object) => {
        times += 1;
        return { here: true };
      },
    });
    expect([await get({}), times]).toEqual([{ here: true }, 1]);
  });
});
