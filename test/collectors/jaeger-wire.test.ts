import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { type Against, jaegerAgainst } from './polling-run.ts';
import { type Behaviour, recorded, replayOf } from './replay-server.ts';

// The numbers are those of shared/cases/wire/README.md.

const folder = join(sharedCases ?? '', 'wire', 'jaeger');
const agent = '5b8efff798038103d269b633813fc60c';
const values = '7d8efff798038103d269b633813fc60f';
const sharedid = '8e8efff798038103d269b633813fc610';
const duplicate = '9f8efff798038103d269b633813fc611';
const tworoots = 'af8efff798038103d269b633813fc612';
const leadingzero = '00000000000000007d269b633813fc60';

function outcome({ traces }: Against) {
  return traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state]);
}

function code({ failure }: Against): string | undefined {
  return OtelEvalError.is(failure) ? failure.code : undefined;
}

const html = () => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: readFileSync(join(folder, 'unknown-route.body.html')),
});

/** A v1 server answers unknown paths with its page, a newer one with a text. */
const onlyV1: Behaviour = (request, count) =>
  request.path.startsWith('/api/v3/') ? html() : replayOf(folder)(request, count);

const said = (name: string): Behaviour => recorded(folder, name);

describe.skipIf(sharedCases === undefined)(
  sharedCases === undefined ? `Jaeger on the wire (${withoutSharedCases})` : 'Jaeger on the wire',
  () => {
    test('15: JSON that says it is text, not found, and a page where a route should be', async () => {
      const found = await jaegerAgainst(replayOf(folder), { traceIds: [agent] });
      expect(outcome(found)).toEqual([[4, 'settled']]);
      expect(found.collection.inputs().map(({ format, rows }) => [format, rows])).toEqual([['jaeger-v3', 4]]);
      for (const name of ['v3-byid-notfound', 'v1-byid-notfound']) {
        const behaviour: Behaviour = (request, count) =>
          name.startsWith('v1') && request.path.startsWith('/api/v3/') ? html() : said(name)(request, count);
        const missing = await jaegerAgainst(behaviour, { traceIds: [agent], deadlineMs: 4_000 });
        expect(outcome(missing)).toEqual([[0, 'not-found']]);
      }
      const old = await jaegerAgainst(onlyV1, { traceIds: [agent] });
      expect(outcome(old)).toEqual([[4, 'settled']]);
      expect(old.collection.inputs().map(({ format }) => format)).toEqual(['jaeger-v1']);
      expect(old.traces[0]?.facts.losses).toEqual(['times in microseconds (Jaeger JSON)']);
      const newer = await jaegerAgainst(
        (request, count) =>
          request.path.startsWith('/api/v3/')
            ? { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' }
            : replayOf(folder)(request, count),
        { traceIds: [agent] },
      );
      expect(outcome(newer)).toEqual([[4, 'settled']]);
      expect(code(await jaegerAgainst(html, { traceIds: [agent] }))).toBe('OTEL_EVAL_WRONG_SERVER');
      expect(code(await jaegerAgainst(said('v3-byid-malformed'), { traceIds: [agent] }))).toBe('OTEL_EVAL_BAD_QUERY');
    });

    test('16: v1 strips zeros of the trace id, and cannot write an infinity', async () => {
      const stripped = await jaegerAgainst(onlyV1, { traceIds: ['7d269b633813fc60'] });
      expect(stripped.traces[0]?.trace.traceId).toBe(leadingzero);
      expect(outcome(stripped)).toEqual([[4, 'settled']]);
      const v3 = await jaegerAgainst(replayOf(folder), { traceIds: [leadingzero] });
      const spanIds = ({ traces }: Against) => traces[0]?.trace.spans.map(({ spanId }) => spanId);
      expect(spanIds(stripped)).toEqual(spanIds(v3));
      expect(spanIds(stripped)?.every((id) => id.length === 16)).toBe(true);
      const infinite = await jaegerAgainst(onlyV1, { traceIds: [values], settleMs: 0 });
      expect(infinite.failure).toBeUndefined();
      expect(outcome(infinite)).toEqual([[0, 'partial']]);
      expect(infinite.traces[0]?.facts.losses).toEqual([
        'this server cannot write the trace, probably because a number in it is not finite',
      ]);
      const whole = await jaegerAgainst(replayOf(folder), { traceIds: [values], settleMs: 0, deadlineMs: 2_000 });
      expect(whole.traces[0]?.trace.spans.length).toBe(8);
    });

    test('17: search asks in both spellings, and looks again at what comes back', async () => {
      const found = await jaegerAgainst(replayOf(folder), { service: 'one' });
      expect(found.traces.map(({ trace }) => trace.traceId)).toEqual([tworoots]);
      const asked = found.server.requests[0]?.parameters;
      expect([
        asked?.get('query.num_traces'),
        asked?.get('query.search_depth'),
        asked?.get('query.searchDepth'),
      ]).toEqual(['100', '100', '100']);
      expect(asked?.has('query.start_time_min') && asked.has('query.startTimeMax')).toBe(true);
      // The server ignores the run id without a word; the trace of another run is not taken for it.
      const other = await jaegerAgainst(
        (request, count) =>
          request.path === '/api/v3/traces'
            ? said('v3-search-attributes-ignored')(request, count)
            : replayOf(folder)(request, count),
        { service: 'one', runId: 'r-1', deadlineMs: 30_000 },
      );
      expect([other.failure, other.traces]).toEqual([undefined, []]);
      const none = await jaegerAgainst(said('v3-search-none'), { service: 'nobody', deadlineMs: 15_000 });
      expect([none.failure, none.traces]).toEqual([undefined, []]);
      const v1 = await jaegerAgainst(onlyV1, { service: 'order-support' });
      expect(v1.traces.map(({ trace }) => trace.traceId)).toContain(agent);
      expect(code(await jaegerAgainst(said('v3-search-no-times'), { service: 'x' }))).toBe('OTEL_EVAL_BAD_QUERY');
    });

    test('17: without a service all of them are searched', async () => {
      const found = await jaegerAgainst(
        (request, count) =>
          request.path === '/api/v3/traces' && request.parameters.get('query.service_name') !== 'one'
            ? said('v3-search-none')(request, count)
            : replayOf(folder)(request, count),
        { sinceUnixMs: Date.UTC(2026, 10, 30, 12), untilUnixMs: Date.UTC(2026, 10, 30, 14, 30) },
      );
      expect(found.traces.map(({ trace }) => trace.traceId)).toEqual([tworoots]);
      const services = found.server.requests.flatMap(({ parameters }) => parameters.get('query.service_name') ?? []);
      expect(services).toEqual(['client', 'dup', 'missing-service-name', 'one', 'order-support', 'server', 'values']);
    });

    test('18: exact values, and an end that Jaeger may have changed is named', async () => {
      const { traces } = await jaegerAgainst(replayOf(folder), { traceIds: [values], deadlineMs: 2_000 });
      const root = traces[0]?.trace.spansById.get('c100000000000001');
      const attributes = [...(root?.attributes.values() ?? [])];
      expect(attributes).toContain(9223372036854775807n);
      expect(attributes).toContain(Number.POSITIVE_INFINITY);
      expect(root?.startUnixNano ?? 0n).toBe(
        BigInt(String(spanOf('v3-byid-values', 'c100000000000001')['startTimeUnixNano'])),
      );
      expect(root).toMatchObject({
        traceState: 'vendor=abc,other=1',
        flags: 769,
        droppedAttributesCount: 4,
        droppedEventsCount: 5,
        droppedLinksCount: 6,
        kind: 'server',
      });
      expect(root?.attributes.get('dup')).toBe('second');
      expect(root?.events.map(({ name, timeUnixNano }) => [name, timeUnixNano > 0n])).toEqual([
        ['e1', true],
        ['e1 twin', true],
        ['untimed', false],
      ]);
      expect(traces[0]?.facts.losses).toEqual([
        'end of span c100000000000002 perhaps changed by Jaeger to 1 ns after its start',
        'end of span c100000000000003 perhaps changed by Jaeger to 1 ns after its start',
      ]);
    });

    test('19: repeats and shared ids, as Tempo has them', async () => {
      for (const behaviour of [replayOf(folder), onlyV1]) {
        const repeated = await jaegerAgainst(behaviour, { traceIds: [duplicate] });
        expect([repeated.traces[0]?.trace.rows, repeated.traces[0]?.trace.spans.length]).toEqual([3, 2]);
        expect(repeated.traces[0]?.trace.duplicates).toEqual([{ spanId: 'e100000000000002', rows: 2, same: false }]);
        const shared = await jaegerAgainst(behaviour, { traceIds: [sharedid] });
        expect(shared.traces[0]?.trace.spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId])).toEqual([
          ['d100000000000001', undefined],
          ['d100000000000002', 'd100000000000001'],
          ['0000000000000001', 'd100000000000002'],
          ['d100000000000003', '0000000000000001'],
        ]);
      }
    });

    test('several results one after the other, or in a list, are one answer', async () => {
      const one = readFileSync(join(folder, 'v3-byid-agent.body.txt'), 'utf8').trim();
      const two = readFileSync(join(folder, 'v3-byid-tworoots.body.txt'), 'utf8').trim();
      for (const body of [`${one}\n${two}`, one + two, `[${one},${two}]`]) {
        const result = await jaegerAgainst(() => ({ headers: { 'content-type': 'text/plain' }, body }), {
          traceIds: [agent],
        });
        expect(outcome(result)).toEqual([[4, 'settled']]);
        expect(result.collection.inputs()[0]?.problems.map((problem) => problem.code)).toEqual(['other-trace']);
      }
    });
  },
);

function spanOf(name: string, spanId: string): Record<string, unknown> {
  const { result } = JSON.parse(readFileSync(join(folder, `${name}.body.txt`), 'utf8')) as {
    result: { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] };
  };
  const spans = result.resourceSpans.flatMap((group) => group.scopeSpans.flatMap((scope) => scope.spans));
  return spans.find((span) => span['spanId'] === spanId) ?? {};
}
