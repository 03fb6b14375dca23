import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { tracePrivacyModes } from '../../assertions/trace-privacy-modes.ts';
import { recordStories } from '../../fixtures/captures/recording.mjs';
import { canaries, message, secret, storyNames } from '../../fixtures/captures/story/stories.mjs';
import { skeletonOf } from '../../src/trace/privacy/skeleton.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import { capturesFolder, type Truth, tracesOf, viewOfCapture } from './capture.ts';
import { compareRun } from './compare.ts';
import { codesOf, judgeCapture } from './judge-capture.ts';

// Real frameworks, each in a process of its own, instrumented as their tracing.mjs says. Needs the built package.

/** Channels that the instrumentation of a framework leaves out even where content is wanted. */
const neverShown: Readonly<Record<string, readonly string[]>> = {
  'ai-sdk': [],
  langgraph: [],
  // The SDK replaces the text of exceptions; its bridge writes no instructions.
  'openai-agents': ['exception', 'instructions'],
};

interface Played {
  readonly bodies: readonly string[];
  readonly truth: Truth;
  readonly traces: readonly CollectedTrace[];
}

async function play(framework: string, mode: 'metadata' | 'content'): Promise<ReadonlyMap<string, Played>> {
  const recorded = await recordStories({ framework, mode });
  return new Map(
    recorded.map(({ story, truth, bodies }) => {
      const texts = bodies.map((body) => body.toString());
      return [story, { bodies: texts, truth: truth as Truth, traces: tracesOf({ bodies: texts }) }];
    }),
  );
}

describe.each(Object.keys(neverShown))('%s', (framework) => {
  let metadata: ReadonlyMap<string, Played>;
  let content: ReadonlyMap<string, Played>;
  beforeAll(async () => {
    [metadata, content] = await Promise.all([play(framework, 'metadata'), play(framework, 'content')]);
  });

  const played = (from: ReadonlyMap<string, Played>, story: string): Played => {
    const one = from.get(story);
    if (one === undefined) throw new Error(`${story} was not played`);
    return one;
  };

  test('is instrumented in at most three lines, two of them ours', () => {
    const lines = readFileSync(join(capturesFolder, framework, 'tracing.mjs'), 'utf8')
      .split('\n')
      .filter(Boolean);
    expect(lines.filter((line) => !line.startsWith('import ')).length).toBeLessThanOrEqual(3);
    expect(lines.filter((line) => /otel-eval|\bregister\(/.test(line))).toHaveLength(2);
  });

  test.each(storyNames)('%s is joined, complete, and read to the truth', (story) => {
    for (const { bodies, truth, traces } of [played(metadata, story), played(content, story)]) {
      expect(traces.map(({ completeness }) => completeness.state)).toEqual(['proven']);
      expect(codesOf(judgeCapture(executionTraceJoined, {}, traces))).toEqual([]);
      expect(viewOfCapture({ bodies }).runs.flatMap((run) => compareRun(run, truth).wrong)).toEqual([]);
    }
  });

  test.each(storyNames)('%s in metadata mode keeps every word at home', (story) => {
    const { bodies, traces } = played(metadata, story);
    const parameters = { mode: 'metadata', canaries: Object.values(canaries), secrets: [secret] };
    expect(codesOf(judgeCapture(tracePrivacyModes, parameters, traces))).toEqual([]);
    // Also what no span shows: resource, scope, fields of the request.
    expect(bodies.join('')).not.toMatch(/canary/i);
    expect(bodies.join('')).not.toContain(secret);
  });

  test.each(storyNames)('%s in content mode holds what was said, without credentials and reasoning', (story) => {
    const { bodies, truth, traces } = played(content, story);
    const shown = truth.canaries.filter(
      (channel) => channel !== 'reasoning' && !neverShown[framework]?.includes(channel),
    );
    const parameters = {
      mode: 'content',
      ceilingBytes: 65_536,
      canaries: shown.map((channel) => canaries[channel]),
      secrets: [secret, canaries['reasoning']],
      recorded: { input: message, output: canaries['answer'] },
      skeleton: played(metadata, story).traces.flatMap(({ trace }) => skeletonOf(trace)),
    };
    expect(codesOf(judgeCapture(tracePrivacyModes, parameters, traces))).toEqual([]);
    expect(shown.filter((channel) => !bodies.join('').includes(canaries[channel] ?? '?'))).toEqual([]);
    expect(bodies.join('')).not.toContain(canaries['reasoning']);
    expect(bodies.join('')).not.toContain(secret);
  });
});
