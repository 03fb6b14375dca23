import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { tempoAgainst } from './polling-run.ts';
import type { Behaviour } from './replay-server.ts';

const traceId = 'a1'.repeat(16);
const skip = sharedCases === undefined;
const name = (text: string) => (skip ? `${text} (${withoutSharedCases})` : text);

/** Replies in order; the last one repeats. */
function replies(file: string): Behaviour {
  const { replies: list } = JSON.parse(readFileSync(join(sharedCases ?? '', 'inputs', file), 'utf8')) as {
    replies: { status: number; body: unknown }[];
  };
  return (_, count) => {
    const { status, body } = list[Math.min(count, list.length) - 1] ?? { status: 500, body: '' };
    return typeof body === 'string'
      ? { status, headers: { 'content-type': 'text/plain' }, body }
      : { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  };
}

test.skipIf(skip)(name('poll-01: not found twice, then found'), async () => {
  const { traces, failure, clock } = await tempoAgainst(replies('poll-01-404-then-found.json'), {
    traceIds: [traceId],
  });
  expect(failure).toBeUndefined();
  expect(traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state])).toEqual([[5, 'settled']]);
  expect(clock.slept.length).toBe(4);
});

test.skipIf(skip)(name('poll-01: the deadline comes before it is found'), async () => {
  const { traces, failure } = await tempoAgainst(replies('poll-01-404-then-found.json'), {
    traceIds: [traceId],
    deadlineMs: 600,
  });
  expect(failure).toBeUndefined();
  expect(traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state])).toEqual([[0, 'not-found']]);
});

test.skipIf(skip)(name('poll-03: two equal answers are not enough'), async () => {
  const { traces, failure } = await tempoAgainst(replies('poll-03-stable-but-incomplete.json'), {
    traceIds: [traceId],
  });
  expect(failure).toBeUndefined();
  expect(traces[0]?.trace.spans.map((span) => span.name)).toContain('GET /stock');
  expect(traces[0]?.completeness.state).toBe('settled');
});

test.skipIf(skip)(name('poll-06: 499 and 500 are asked again'), async () => {
  const { traces, failure, server } = await tempoAgainst(replies('poll-06-499-500-then-ok.json'), {
    traceIds: [traceId],
  });
  expect(failure).toBeUndefined();
  expect(traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state])).toEqual([[5, 'settled']]);
  expect(server.requests.length).toBe(5);
});
