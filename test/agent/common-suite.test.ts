import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { type Capture, captureFolders, capturesIn, sampleOf, type TrueCall } from '../capture-set.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { combinedStatus, judgeSpans, type Rule } from './judged-story.ts';
import { decodeStory, readStory } from './otlp-story.ts';

// One suite over every framework's telling of the same stories. What is right follows from what the tools themselves
// wrote down; a framework may leave a question undecided, with a reason, and may never answer it otherwise.

interface Question {
  readonly rule: Rule;
  readonly right: 'passed' | 'failed';
}

const source = 'story';
const when = (isTrue: boolean): Question['right'] => (isTrue ? 'passed' : 'failed');

function suiteFor({ calls, modelCalls, tokens }: Capture): readonly Question[] {
  const real = calls.filter(
    ({ name, outcome, frameworkTool }) =>
      outcome !== 'handoff' && frameworkTool !== true && !/^(transfer_to_|handoff)/.test(name),
  );
  const of = (tool: string) => real.filter(({ name }) => name === tool);
  const all = (list: readonly TrueCall[]) => list.every(({ outcome }) => outcome === 'ok');
  const called = (tool: string, expected: object, isTrue: boolean): Question => ({
    rule: ['ToolCalled', { match: { tool }, expect: expected }],
    right: when(isTrue),
  });
  const budget = (what: string, max: number, isTrue: boolean): Question => ({
    rule: ['WithinBudget', { [what]: { max, source } }],
    right: when(isTrue),
  });
  const refunds = of('issue_refund').length;
  const escalations = of('escalate_to_human').length;
  const steps = real.length < calls.length ? [] : [budget('toolCalls', real.length, true)];
  const fewer = real.length < calls.length || real.length === 0 ? [] : [budget('toolCalls', real.length - 1, false)];
  return [
    called('issue_refund', { exactly: refunds }, true),
    called('issue_refund', { atMost: 1 }, refunds <= 1),
    called('issue_refund', { exactly: refunds + 1 }, false),
    called('escalate_to_human', { none: true }, escalations === 0),
    called('lookup_order', { atLeast: of('lookup_order').length + 1 }, false),
    ...(of('lookup_order').length === 0
      ? []
      : [
          {
            rule: ['ToolSucceeded', { match: { tool: 'lookup_order' } }] as const,
            right: when(all(of('lookup_order'))),
          },
        ]),
    ...(refunds === 0
      ? []
      : [
          {
            rule: ['ToolSucceeded', { match: { tool: 'issue_refund' } }] as const,
            right: when(all(of('issue_refund'))),
          },
        ]),
    ...steps,
    ...fewer,
    budget('modelCalls', modelCalls, true),
    ...(modelCalls === 0 ? [] : [budget('modelCalls', modelCalls - 1, false)]),
    budget('totalTokens', tokens, true),
    ...(tokens === 0 ? [] : [budget('totalTokens', tokens - 1, false)]),
  ];
}

interface Answered {
  readonly decided: number;
  readonly asked: number;
  readonly wrong: readonly string[];
}

function answered(capture: Capture): Answered {
  const { spans, logs } = decodeStory(readStory(capture.files));
  const suite = suiteFor(capture);
  const rules = suite.map(({ rule }) => rule);
  // A story that a person interrupts, or whose calls are traces of their own, is one run at the user's word.
  const runs = judgeSpans(spans, logs, rules, { oneRun: true });
  const wrong: string[] = [];
  let decided = 0;
  for (const [place, { rule, right }] of suite.entries()) {
    const verdicts = runs.flatMap((verdicts) => verdicts[place] ?? []);
    const status = combinedStatus(verdicts);
    if (status !== 'inconclusive') decided += 1;
    if (status === right || (status === 'inconclusive' && hasReason(verdicts))) continue;
    wrong.push(`${capture.story}: ${JSON.stringify(rule)} is ${status}, not ${right}`);
  }
  return { decided, asked: suite.length, wrong };
}

function hasReason(verdicts: readonly Verdict[]): boolean {
  return (
    verdicts.length > 0 && verdicts.every(({ status, missing }) => status !== 'inconclusive' || missing.length > 0)
  );
}

describe.skipIf(sharedCases === undefined)(
  `one suite over every framework${sharedCases === undefined ? ` (skipped: ${withoutSharedCases})` : ''}`,
  () => {
    const sum = { decided: 0, asked: 0 };
    test.each(sampleOf(captureFolders(), 4))('%s: the same verdicts, or inconclusive with the reason', (folder) => {
      const told = capturesIn(folder)
        .filter(({ files }) => files.length > 0 && !files.some((file) => file.endsWith('.pb')))
        .map(answered);
      expect(told.flatMap(({ wrong }) => wrong)).toEqual([]);
      for (const { decided, asked } of told) {
        sum.decided += decided;
        sum.asked += asked;
      }
    });

    test('what is never decided is of no use: most of it is', () => {
      expect(sum.asked).toBeGreaterThan(500);
      expect(sum.decided / sum.asked).toBeGreaterThan(0.75);
    });
  },
);
