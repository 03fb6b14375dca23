import { type DiagLogger, diag } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { samplerChoice } from '../../src/register/sampler-choice.ts';

afterEach(() => diag.disable());

const choice = (OTEL_TRACES_SAMPLER?: string, OTEL_TRACES_SAMPLER_ARG?: string) =>
  samplerChoice({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG });

test.each([
  [undefined, undefined, { followsParent: true, roots: 'all', share: 1 }],
  ['', undefined, { followsParent: true, roots: 'all', share: 1 }],
  ['always_on', undefined, { followsParent: false, roots: 'all', share: 1 }],
  ['always_off', '0.5', { followsParent: false, roots: 'none', share: 1 }],
  ['traceidratio', '0.25', { followsParent: false, roots: 'share', share: 0.25 }],
  ['traceidratio', undefined, { followsParent: false, roots: 'share', share: 1 }],
  ['parentbased_always_on', undefined, { followsParent: true, roots: 'all', share: 1 }],
  ['parentbased_always_off', undefined, { followsParent: true, roots: 'none', share: 1 }],
  [' Parentbased_TraceIdRatio ', '0', { followsParent: true, roots: 'share', share: 0 }],
])('%s, %s', (name, argument, expected) => {
  expect(choice(name, argument)).toEqual(expected);
});

test.each([
  ['jaeger_remote', undefined, 'otel-eval: OTEL_TRACES_SAMPLER names no sampler that is known; every trace is sampled'],
  ['traceidratio', 'half', 'otel-eval: OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1; every trace is sampled'],
  ['traceidratio', '2', 'otel-eval: OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1; every trace is sampled'],
])('%s, %s samples everything and says so', (name, argument, expected) => {
  const said: unknown[] = [];
  const warn = (...words: unknown[]): void => void said.push(...words);
  diag.setLogger({ error: warn, warn, info: warn, debug: () => {}, verbose: () => {} } satisfies DiagLogger);
  said.length = 0;
  expect(choice(name, argument).share).toBe(1);
  expect(said).toEqual([expected]);
});
