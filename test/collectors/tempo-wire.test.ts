import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { type Against, tempoAgainst } from './polling-run.ts';
import { recorded, replayOf } from './replay-server.ts';

// The numbers are those of shared/cases/wire/README.md.

const wire = join(sharedCases ?? '', 'wire');
const agent = '5b8efff798038103d269b633813fc60c';
const longattr = '6c8efff798038103d269b633813fc60e';
const values = '7d8efff798038103d269b633813fc60f';
const sharedid = '8e8efff798038103d269b633813fc610';
const duplicate = '9f8efff798038103d269b633813fc611';
const big = 'be8efff798038103d269b633813fc613';

function outcome({ traces }: Against) {
  return traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state]);
}

function code({ failure }: Against): string | undefined {
  return OtelEvalError.is(failure) ? failure.code : undefined;
}

function message({ failure, server }: Against): string {
  return OtelEvalError.is(failure) ? failure.message.replace(server.url, 'URL') : String(failure);
}

const stock = (options: Parameters<typeof tempoAgainst>[1]) =>
  tempoAgainst(replayOf(join(wire, 'tempo-stock')), options);
const onlyV1 = (folder: string, options: Parameters<typeof tempoAgainst>[1]) => {
  const replay = replayOf(join(wire, folder));
  return tempoAgainst(
    (request, count) =>
      request.path.startsWith('/api/v2/') ? { status: 404, body: '404 page not found\n' } : replay(request, count),
    options,
  );
};

describe.skipIf(sharedCases === undefined)(
  sharedCases === undefined ? `Tempo on the wire (${withoutSharedCases})` : 'Tempo on the wire',
  () => {
    test('1: not found is waited for, on v2 and v1; a malformed id and a lost route are something else', async () => {
      const nowhere = '00000000000000000000000000000bad';
      const v2 = await tempoAgainst(
        (request, count) => recorded(join(wire, 'tempo-stock'), 'byid-v2-notfound-pb')(request, count),
        { traceIds: [nowhere], deadlineMs: 5_000 },
      );
      expect(outcome(v2)).toEqual([[0, 'not-found']]);
      expect(v2.traces[0]?.completeness.reasons).toEqual(['no span of it was found']);
      expect(v2.server.requests.length).toBeGreaterThan(3);
      const inJson = await tempoAgainst(
        (request, count) => recorded(join(wire, 'tempo-stock'), 'byid-v2-notfound-json')(request, count),
        { traceIds: [nowhere], deadlineMs: 5_000 },
      );
      expect([inJson.failure, outcome(inJson)]).toEqual([undefined, [[0, 'not-found']]]);
      const v1 = await tempoAgainst(
        (request, count) =>
          request.path.startsWith('/api/v2/')
            ? { status: 404, body: '404 page not found\n' }
            : recorded(join(wire, 'tempo-stock'), 'byid-v1-notfound-pb')(request, count),
        { traceIds: [nowhere], deadlineMs: 5_000 },
      );
      expect(outcome(v1)).toEqual([[0, 'not-found']]);
      // The route is asked for once, not at every poll.
      expect(v1.server.requests.filter(({ path }) => path.startsWith('/api/v2/')).length).toBe(1);

      await expect(stock({ traceIds: ['not-hex'] })).rejects.toThrow(
        'expected a trace id of up to 32 hex digits, not all zero, got 7 characters',
      );
      const refused = await tempoAgainst(
        (request, count) =>
          replayOf(join(wire, 'tempo-stock'))({ ...request, target: '/api/v2/traces/not-hex' }, count),
        { traceIds: [agent] },
      );
      expect([code(refused), message(refused)]).toEqual([
        'OTEL_EVAL_BAD_QUERY',
        "URL: it refuses the question (HTTP 400): trace IDs can only contain hex characters: invalid character 'n' at position 1",
      ]);
      const noRoute = await tempoAgainst(() => ({ status: 404, body: '404 page not found\n' }), { traceIds: [agent] });
      expect([code(noRoute), message(noRoute)]).toEqual([
        'OTEL_EVAL_WRONG_SERVER',
        'URL: expected Tempo, got HTTP 404, page not found',
      ]);
      expect(outcome(await stock({ traceIds: [Buffer.from(agent, 'hex').toString('base64')] }))).toEqual([
        [4, 'settled'],
      ]);
    });

    test('2: a trace that was found is gone for a while: no verdict before it is whole, none lost after', async () => {
      const folder = join(wire, 'tempo-visibility-gap');
      const sequence = JSON.parse(readFileSync(join(folder, 'sequence.json'), 'utf8')) as {
        atMs: number;
        spans: number;
        bodyFile: string;
      }[];
      const first = JSON.parse(readFileSync(join(folder, '00.body.json'), 'utf8')) as {
        trace: { resourceSpans: { scopeSpans: { spans: { traceId: string }[] }[] }[] };
      };
      const id = first.trace.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.traceId ?? '';
      for (const offsetMs of [0, 400, 1_000, 1_500, 1_990]) {
        const shown: number[] = [];
        const result = await tempoAgainst(
          (_, __, clock) => {
            const entry = sequence.findLast(({ atMs }) => atMs <= clock.nowMs() + 10 + offsetMs) ?? sequence[0];
            shown.push(entry?.spans ?? -1);
            return {
              headers: { 'content-type': 'application/json' },
              body: readFileSync(join(folder, entry?.bodyFile ?? '')),
            };
          },
          { traceIds: [id] },
        );
        expect(outcome(result)).toEqual([[60, 'settled']]);
        // Six seconds and three polls of the whole trace.
        expect(shown.slice(-3)).toEqual([60, 60, 60]);
        expect(result.clock.nowMs()).toBeGreaterThanOrEqual(7_856 - offsetMs + 6_000);
      }
    });

    test('3: repeated rows are one span each, and the conflict is named', async () => {
      for (const folder of ['tempo-stock', 'tempo-stock-settled']) {
        const result = await tempoAgainst(replayOf(join(wire, folder)), { traceIds: [duplicate] });
        const trace = result.traces[0]?.trace;
        expect([trace?.rows, trace?.spans.length]).toEqual([4, 2]);
        expect([...(trace?.duplicates ?? [])].sort((a, b) => (a.spanId < b.spanId ? -1 : 1))).toEqual([
          { spanId: 'e100000000000001', rows: 2, same: true },
          { spanId: 'e100000000000002', rows: 2, same: false },
        ]);
      }
    });

    test('4: the SERVER half of a shared id is a child of its CLIENT half', async () => {
      for (const folder of ['tempo-stock', 'tempo-stock-settled']) {
        const result = await tempoAgainst(replayOf(join(wire, folder)), { traceIds: [sharedid] });
        const trace = result.traces[0]?.trace;
        expect(trace?.spans.map(({ spanId, parentSpanId, name }) => [spanId, parentSpanId, name])).toEqual([
          ['d100000000000001', undefined, 'root'],
          ['d100000000000002', 'd100000000000001', 'call'],
          ['0000000000000001', 'd100000000000002', 'call'],
          ['d100000000000003', '0000000000000001', 'below'],
        ]);
      }
    });

    test('5: a value cut at 2048 bytes is named; with the cut switched off it is whole', async () => {
      const losses = ['attribute gen_ai.input.messages of b100000000000002 cut at 2048 bytes'];
      for (const result of [
        await stock({ traceIds: [longattr] }),
        await onlyV1('tempo-stock', { traceIds: [longattr] }),
        await tempoAgainst(replayOf(join(wire, 'tempo-stock-settled')), { traceIds: [longattr] }),
      ]) {
        expect(result.traces[0]?.facts.losses).toEqual(losses);
        expect(result.traces[0]?.completeness.reasons).toContain(losses[0]);
      }
      const whole = await tempoAgainst(replayOf(join(wire, 'tempo-quick')), { traceIds: [longattr] });
      expect(whole.traces[0]?.facts.losses).toEqual([]);
      const messages = whole.traces[0]?.trace.spansById
        .get('b100000000000002')
        ?.attributes.get('gen_ai.input.messages');
      expect(JSON.parse(String(messages))).toHaveLength(1);
    });

    test('6: what is lost on the way to the disk does not change a reading; values are exact', async () => {
      const [live, stored] = [
        await stock({ traceIds: [values] }),
        await tempoAgainst(replayOf(join(wire, 'tempo-stock-settled')), { traceIds: [values] }),
      ];
      for (const { traces } of [live, stored]) {
        const span = traces[0]?.trace.spansById.get('c100000000000001');
        const attributes = Object.fromEntries(span?.attributes ?? []);
        expect(traces[0]?.trace.spans.length).toBe(8);
        expect(Object.values(attributes)).toContain(9223372036854775807n);
        expect(Object.values(attributes)).toContain(Number.POSITIVE_INFINITY);
        expect(Object.values(attributes)).toContain(Number.NEGATIVE_INFINITY);
        expect(attributes).toMatchObject({
          'i.min': -9223372036854775808n,
          'i.unsafe': 9007199254740993n,
          'a.int': [1, 9007199254740993n],
          'd.nan': Number.NaN,
          's.ctrl': 'a\0b\tc\nd',
          '': 'emptykey',
        });
        expect(traces[0]?.trace.spansById.get('c100000000000002')?.name).toBe('');
        expect(span?.scope.attributes.get('scope.attr')).toBe('x');
      }
      expect(live.traces.map(withoutWhatDiskLoses)).toEqual(stored.traces.map(withoutWhatDiskLoses));
      expect(live.traces[0]?.trace.spansById.get('c100000000000001')?.flags).toBe(769);
      expect(stored.traces[0]?.trace.spansById.get('c100000000000001')?.flags).toBe(0);
    });

    test('7: ids without leading zeros, asked for and found', async () => {
      for (const id of ['7d269b633813fc60', '00000000000000007D269B633813FC60', 'AAAAAAAAAAB9JptjOBP8YA==']) {
        const result = await stock({ traceIds: [id] });
        expect(result.traces[0]?.trace.traceId).toBe('00000000000000007d269b633813fc60');
        expect(outcome(result)).toEqual([[4, 'settled']]);
      }
      for (const folder of ['tempo-stock', 'tempo-quick']) {
        const searched = await tempoAgainst(
          (request, count) =>
            replayOf(join(wire, request.path === '/api/search' ? folder : 'tempo-stock'))(request, count),
          { traceQl: '{ span."gen_ai.conversation.id" = "conv-00" }' },
        );
        expect(searched.traces.map(({ trace }) => trace.traceId)).toContain('00000000000000007d269b633813fc60');
      }
      const odd = await stock({ traceQl: '{ resource."service.name" = "order-support" }' });
      expect(odd.traces.map(({ trace }) => trace.traceId)).toContain('0b8efff798038103d269b633813fc60d');
    });

    test('8: twenty of sixty spans behind a 200: only settled, and an expected count says short of it', async () => {
      const replay = replayOf(join(wire, 'tempo-small'));
      const result = await tempoAgainst(replay, { traceIds: [big] });
      expect(outcome(result)).toEqual([[20, 'settled']]);
      const declared = await tempoAgainst(replay, { traceIds: [big], expectations: { spans: 60 } });
      expect(declared.traces[0]?.completeness.reasons).toContain('20 spans where at least 60 are declared');
      const tooLarge = replayOf(join(wire, 'tempo-too-large'));
      const id = 'ce8efff798038103d269b633813fc614';
      expect(outcome(await tempoAgainst(tooLarge, { traceIds: [id] }))).toEqual([[60, 'too-large']]);
      expect(outcome(await onlyV1('tempo-too-large', { traceIds: [id] }))).toEqual([[0, 'too-large']]);
    });

    test('9: no pruning is asked for, and a summary is recognised where it comes all the same', async () => {
      const replay = replayOf(join(wire, 'tempo-small'));
      const asked = await tempoAgainst(replay, { traceIds: [big] });
      expect(asked.server.requests[0]?.target).toBe(`/api/v2/traces/${big}?span_pruning=false`);
      expect(asked.traces[0]?.trace.spans.length).toBe(20);
      const pruned = await tempoAgainst((request, count) => replay({ ...request, target: request.path }, count), {
        traceIds: [big],
      });
      expect(outcome(pruned)).toEqual([[2, 'pruned']]);
      expect(pruned.traces[0]?.completeness.reasons[0]).toBe('the server replaced spans by a summary');
    });

    test('10: protobuf is asked for, and JSON is read where it comes', async () => {
      const replay = replayOf(join(wire, 'tempo-stock'));
      const result = await stock({ traceIds: [agent] });
      expect(result.server.requests.every(({ headers }) => headers.accept === 'application/protobuf')).toBe(true);
      expect(result.collection.inputs().map(({ format }) => format)).toEqual(['tempo-v2-protobuf']);
      const star = await tempoAgainst((request, count) => replay({ ...request, headers: { accept: '*/*' } }, count), {
        traceIds: [agent],
      });
      expect(star.collection.inputs().map(({ format, rows }) => [format, rows])).toEqual([['tempo-v2-json', 4]]);
      const llm = await tempoAgainst(
        (request, count) => replay({ ...request, headers: { accept: 'application/vnd.grafana.llm' } }, count),
        { traceIds: [agent] },
      );
      expect(code(llm)).toBe('OTEL_EVAL_NOT_A_TRACE');
    });

    test('11: a search that shows the run only after 28 s', async () => {
      const replay = replayOf(join(wire, 'tempo-stock'));
      const q = '{ resource."service.name" = "order-support" }';
      const result = await tempoAgainst(
        (request, count, clock) => {
          if (request.path !== '/api/search') return replay(request, count);
          const hidden = clock.nowMs() < 28_000;
          return hidden ? recorded(join(wire, 'tempo-stock'), 'search-empty')(request, count) : replay(request, count);
        },
        { traceQl: q, service: 'order-support' },
      );
      expect(result.failure).toBeUndefined();
      expect(result.traces.length).toBeGreaterThan(0);
      expect(result.clock.nowMs()).toBeGreaterThanOrEqual(28_000);
    });

    test('12: search gives ids only, and one trace for three fragments', async () => {
      const replay = replayOf(join(wire, 'tempo-quick'));
      const result = await tempoAgainst(replay, { traceQl: '{ resource."service.name" = "big" }' });
      expect(result.traces.map(({ trace }) => trace.spans.length)).toEqual([60]);
      expect(result.server.requests[0]?.parameters.get('spss')).toBe('1');
    });

    test('13: what Tempo refuses is a bad query, with its words', async () => {
      const bad = await stock({ traceQl: '{ resource.service.name = ' });
      expect([code(bad), message(bad)]).toEqual([
        'OTEL_EVAL_BAD_QUERY',
        'URL: it refuses the question (HTTP 400): invalid TraceQL query: parse error at line 1, col 27: syntax error: unexpected $end',
      ]);
      for (const name of [
        'search-limit-zero',
        'search-limit-huge',
        'search-q-and-tags',
        'search-start-only',
        'search-window-too-long',
      ]) {
        const result = await tempoAgainst(
          (request, count) => recorded(join(wire, 'tempo-stock'), name)(request, count),
          { service: 'x' },
        );
        expect(code(result)).toBe('OTEL_EVAL_BAD_QUERY');
      }
      const none = await tempoAgainst(
        (request, count) => recorded(join(wire, 'tempo-stock'), 'search-empty')(request, count),
        { service: 'nobody', deadlineMs: 20_000 },
      );
      expect([none.failure, none.traces]).toEqual([undefined, []]);
    });

    test('14: tenants', async () => {
      const replay = replayOf(join(wire, 'tempo-tenant'));
      const without = await tempoAgainst(replay, { traceIds: [agent] });
      expect([code(without), message(without)]).toEqual([
        'OTEL_EVAL_AUTH',
        'URL: it wants a tenant (HTTP 401, no org id)',
      ]);
      expect(outcome(await tempoAgainst(replay, { traceIds: [agent], tenant: 'team-a' }))).toEqual([[4, 'settled']]);
      const wrong = await tempoAgainst(replay, {
        traceIds: [agent],
        tenant: tenantOf('byid-v2-wrong-tenant'),
        deadlineMs: 3_000,
      });
      expect(outcome(wrong)).toEqual([[0, 'not-found']]);
      const bad = await tempoAgainst(replay, { traceIds: [agent], tenant: tenantOf('byid-v2-bad-tenant') });
      expect(code(bad)).toBe('OTEL_EVAL_BAD_QUERY');
      expect(
        outcome(await tempoAgainst(replay, { traceIds: [agent], tenant: tenantOf('byid-v2-two-tenants') })),
      ).toEqual([[4, 'settled']]);
    });

    test('a server that is stopping: 503 until the deadline is unavailable', async () => {
      const ready = JSON.parse(readFileSync(join(wire, 'tempo-stopping', 'ready-503.http.json'), 'utf8')) as {
        response: { status: number };
      };
      const result = await tempoAgainst(
        () => ({
          status: ready.response.status,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: readFileSync(join(wire, 'tempo-stopping', 'ready-503.body.txt')),
        }),
        { traceIds: [agent], deadlineMs: 10_000 },
      );
      expect(code(result)).toBe('OTEL_EVAL_UNAVAILABLE');
      expect(message(result)).toMatch(
        /^URL: no answer before the deadline, after \d+ tries; last: HTTP 503: Application is stopping$/,
      );
    });
  },
);

/** What a stock Tempo's disk gives back otherwise: flags, and the attributes of a second scope with equal name and version. */
function withoutWhatDiskLoses({ trace }: Against['traces'][number]): object[] {
  return trace.spans.map((span) => ({
    ...span,
    flags: 0,
    links: span.links.map((link) => ({ ...link, flags: 0, attributes: sorted(link.attributes) })),
    events: span.events.map((event) => ({ ...event, attributes: sorted(event.attributes) })),
    attributes: sorted(span.attributes),
    resource: { ...span.resource, attributes: sorted(span.resource.attributes) },
    scope: { name: span.scope.name, version: span.scope.version },
  }));
}

function sorted(attributes: Iterable<readonly [string, unknown]>): (readonly [string, unknown])[] {
  return [...attributes].sort(([a], [b]) => (a < b ? -1 : 1));
}

function tenantOf(name: string): string {
  return request('tempo-tenant', name).headers['x-scope-orgid'] ?? '';
}

function request(folder: string, name: string): { target: string; headers: Record<string, string> } {
  const file = join(wire, folder, `${name}.http.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { request: { target: string; headers: Record<string, string> } })
    .request;
}
