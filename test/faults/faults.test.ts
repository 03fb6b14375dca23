import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FaultError } from '../../src/faults/inject/fault-error.ts';
import { FaultSession, type FaultSessionOptions } from '../../src/faults/inject/fault-session.ts';
import { wrapTools } from '../../src/faults/inject/wrap-tools.ts';
import { EffectLedger } from '../../src/faults/ledger/effect-ledger.ts';
import { VersionedState } from '../../src/faults/ledger/versioned-state.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';

const sessionOf = (row: object, more: Partial<FaultSessionOptions> = {}): FaultSession => {
  const plan = parseFaultPlan([{ task: 't', ...row }]);
  return new FaultSession({ plan, row: plan.rows[0]!, ...more });
};
const outcome = async (work: unknown): Promise<unknown> => {
  try {
    return await work;
  } catch (error) {
    const { name, message, status, retryAfterSeconds } = error as FaultError;
    return { name, message, status, retryAfterSeconds };
  }
};
const booking = () => {
  const ledger = new EffectLedger();
  const book = ({ at }: { at: string }) => {
    ledger.commit('book', { at });
    return { booked: at };
  };
  return { ledger, tools: { book } };
};

describe('faults', () => {
  test.each([
    ['timeout', { name: 'TimeoutError', message: 'no answer after 30 s', status: null, retryAfterSeconds: null }, 0],
    [
      'timeout_but_applied',
      { name: 'TimeoutError', message: 'no answer after 30 s', status: null, retryAfterSeconds: null },
      1,
    ],
    [
      'http_503',
      { name: 'ServiceUnavailableError', message: '503 Service Unavailable', status: 503, retryAfterSeconds: null },
      0,
    ],
    [
      'http_429',
      {
        name: 'RateLimitError',
        message: '429 Too Many Requests, retry after 20 s',
        status: 429,
        retryAfterSeconds: 20,
      },
      0,
    ],
    ['error', { name: 'ToolError', message: 'the tool failed', status: 500, retryAfterSeconds: null }, 0],
  ])('R4-16: %s presents as an error', async (fault, seen, effects) => {
    const { ledger, tools } = booking();
    const { book } = wrapTools(sessionOf({ tool: 'book', fault }, { ledger }), tools);
    expect(await outcome(book({ at: '10:00' }))).toEqual(seen);
    expect(ledger.entries.map(({ state, hidden }) => [state, hidden])).toEqual(
      Array(effects).fill(['committed', true]),
    );
    expect(await outcome(book({ at: '10:00' }))).toEqual({ booked: '10:00' });
  });

  test('R4-15: timeout but applied gains exactly one effect for each hit, a plain timeout none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('timeout', 'timeout_but_applied'),
        async (calls, fault) => {
          const { ledger, tools } = booking();
          const { book } = wrapTools(sessionOf({ tool: 'book', fault, mode: 'until_end' }, { ledger }), tools);
          for (let at = 0; at < calls; at += 1) await outcome(book({ at: String(at) }));
          expect(ledger.entries.length).toBe(fault === 'timeout' ? 0 : calls);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('a timeout takes virtual time alone, no more than the deadline of the client, and heeds its signal', async () => {
    const session = sessionOf(
      { tool: 'book', fault: 'timeout', mode: 'until_end' },
      { tools: { book: { deadlineMs: 5_000 } } },
    );
    const { book } = wrapTools(session, { book: (_: object, __: object) => 1 });
    expect(await outcome(book({}, {}))).toMatchObject({ message: 'no answer after 5 s' });
    expect(session.clock.nowMs).toBe(5_000);
    const gone = AbortSignal.abort(new Error('given up'));
    expect(await outcome(book({}, { signal: gone }))).toMatchObject({ message: 'given up' });
    expect(session.clock.nowMs).toBe(5_000);
  });

  test('R4-09: empty has the shape of the answer and zero rows', async () => {
    const find = () => ({ slots: [{ at: 1 }], total: 1, day: 'Tue' });
    const { found } = wrapTools(sessionOf({ tool: 'found', fault: 'empty' }), { found: find });
    expect(await found()).toEqual({ slots: [], total: 0, day: 'Tue' });
    const list = wrapTools(sessionOf({ tool: 'list', fault: 'empty' }), { list: () => [1, 2] });
    expect(await list.list()).toEqual([]);
  });

  test.each([
    ['missing', { items: [{ name: 'a' }] }],
    ['null', { items: [{ name: 'a', price: null }] }],
    ['wrong_type', { items: [{ name: 'a', price: 'unknown' }] }],
  ])('malformed: the named field alone is %s', async (as, answer) => {
    const session = sessionOf({ tool: 'get', fault: { kind: 'malformed', field: 'items.0.price', as } });
    const real = { items: [{ name: 'a', price: 4 }] };
    const { get } = wrapTools(session, { get: () => real });
    expect(await get()).toEqual(answer);
    expect(real.items[0]?.price).toBe(4);
  });

  test('R4-11: partial applies the accepted part, and lists both', async () => {
    const ledger = new EffectLedger();
    const session = sessionOf(
      { tool: 'send', fault: { kind: 'partial', ok: 3, rejected: 2 } },
      { ledger, tools: { send: { items: 'to' } } },
    );
    const { send } = wrapTools(session, {
      send: ({ to }: { to: string[] }) => to.map((each) => ledger.commit('send', { each })),
    });
    expect(await send({ to: ['a', 'b', 'c', 'd', 'e'] })).toEqual({ accepted: ['a', 'b', 'c'], rejected: ['d', 'e'] });
    expect(ledger.entries.length).toBe(3);
  });

  test('R4-10: a stale read gives what was there before the last write', async () => {
    const state = new VersionedState<readonly string[]>(['a']);
    const session = sessionOf(
      { tool: 'list', fault: 'stale_read', mode: 'until_end' },
      { tools: { list: { before: () => state.before } } },
    );
    const { list } = wrapTools(session, { list: () => state.current });
    expect(await list()).toEqual(['a']);
    state.write(['a', 'b']);
    expect(await list()).toEqual(['a']);
  });

  test('latency: the real answer, and virtual time has passed', async () => {
    const session = sessionOf({ tool: 'get', fault: { kind: 'latency', seconds: 7 } });
    const { get } = wrapTools(session, { get: () => 1 });
    expect([await get(), session.clock.nowMs]).toEqual([1, 7_000]);
  });

  test.each<[string, unknown, string]>([
    ['single', 'single', 'x....'],
    ['two calls', { calls: 2 }, 'xx...'],
    ['until the end', 'until_end', 'xxxxx'],
    ['twenty virtual seconds, ten a call', { virtualSeconds: 20 }, 'xx...'],
    ['each second call', { virtualSeconds: 1_000, every: 2 }, 'x.x.x'],
  ])('R4-20: %s', async (_, mode, hits) => {
    const session = sessionOf({ tool: 'get', fault: 'error', mode });
    const { get } = wrapTools(session, { get: () => '.' });
    let seen = '';
    for (let at = 0; at < 5; at += 1) {
      const said = await outcome(get());
      seen += said === '.' ? '.' : 'x';
      session.clock.advance(10_000);
    }
    expect(seen).toBe(hits);
  });

  test('R4-05: tool, arguments and occurrence choose the call; the same every time', async () => {
    const run = async (): Promise<unknown[]> => {
      const session = sessionOf({ tool: 'get', arguments: { id: 2 }, occurrence: 2, fault: 'http_503' });
      const { get, other } = wrapTools(session, { get: (args: object) => args, other: (args: object) => args });
      const seen: unknown[] = [];
      for (const id of [2, 1, 2, 2]) seen.push(await outcome(get({ id, more: true })), await outcome(other({ id })));
      return seen.map((each) => (each as { status?: number }).status ?? 'ok');
    };
    const first = await run();
    expect(first).toEqual(['ok', 'ok', 'ok', 'ok', 503, 'ok', 'ok', 'ok']);
    expect(await run()).toEqual(first);
  });

  test('escalation is declared: each hit has the next fault', async () => {
    const session = sessionOf({ tool: 'get', fault: 'timeout', escalate: ['http_503', 'http_429'], mode: 'until_end' });
    const { get } = wrapTools(session, { get: () => 1 });
    const seen: unknown[] = [];
    for (let at = 0; at < 4; at += 1) seen.push((await outcome(get())) as object);
    expect(seen.map((each) => (each as FaultError).status)).toEqual([null, 503, 429, 429]);
  });

  test('a second try of the same request is the client’s: it is no new occurrence', async () => {
    const session = sessionOf({ tool: 'get', fault: 'http_503', occurrence: 2 });
    const { get } = wrapTools(session, { get: (_: object, __: object) => 'ok' });
    expect(await outcome(get({}, { callId: 'a' }))).toBe('ok');
    expect(await outcome(get({}, { callId: 'a' }))).toBe('ok');
    expect(await outcome(get({}, { callId: 'b' }))).toMatchObject({ status: 503 });
  });

  test('the model reads what the app’s own error mapper makes of a failure', async () => {
    const mapFailure = (): Error => new Error('calendar is down, try later');
    const { get } = wrapTools(sessionOf({ tool: 'get', fault: 'http_503' }, { mapFailure }), { get: () => 1 });
    expect(await outcome(get())).toMatchObject({ message: 'calendar is down, try later' });
  });
});
