import { describe, expect, test } from 'vitest';
import { citationsSupported } from '../../assertions/citations-supported.ts';
import { handedOff } from '../../assertions/handed-off.ts';
import { noHumanInput } from '../../assertions/no-human-input.ts';
import { responseContains } from '../../assertions/response-contains.ts';
import { retrieved } from '../../assertions/retrieved.ts';
import { stageObserved } from '../../assertions/stage-observed.ts';
import type { Assertion } from '../../src/verdict/assertion.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { type SpanSketch, type ViewOptions, viewOf } from '../view-builder.ts';
import { answering } from './mutations/response-contains.ts';
import { changed, orderStory, setAttributes, toolSpan, withMore, without } from './order-story.ts';

function judge<Parameters>(
  assertion: Assertion<Parameters>,
  spans: readonly SpanSketch[],
  parameters: unknown,
  options?: ViewOptions,
): Verdict {
  return assertion.evaluate(viewOf(spans, options), assertion.parameters.parse(parameters));
}
const told = ({ status, findings, missing }: Verdict) => [
  status,
  findings.map(({ code }) => code.split('/')[1]),
  missing.map(({ kind }) => kind),
];
const remote: ViewOptions = { kind: 'tempo', facts: { remote: true, ended: false } };
const refusedAnswer = changed('6', (span) => setAttributes(span, { 'gen_ai.output.messages': undefined }));

describe('ResponseContains', () => {
  test.each([
    ['white space counts as one blank', 'Your  40\n euros', { text: '40 euros' }, 'passed'],
    ['case matters', 'REFUNDED', { text: 'refunded' }, 'failed'],
    ['unless it is said not to', 'REFUNDED', { text: 'refunded', ignoreCase: true }, 'passed'],
    ['24 is not in 240', '240 euros', { text: '24', wholeWords: true }, 'failed'],
    ['24 is not in 24.5', '24.5 euros', { text: '24', wholeWords: true }, 'failed'],
    ['24 is at the end of a sentence', 'It is 24.', { text: '24', wholeWords: true }, 'passed'],
    ['key is not in keystone', 'the keystone', { text: 'key', wholeWords: true }, 'failed'],
    ['a later place may be whole', '240 or 24', { text: '24', wholeWords: true }, 'passed'],
  ])('%s', (_, answer, parameters, status) => {
    expect(judge(responseContains, answering(answer), parameters).status).toBe(status);
  });

  test.each([
    ['a role', [{ role: 'assistant', parts: [] }]],
    ['an empty part', [{ role: 'assistant', parts: [{ type: 'text' }] }]],
    ['a tool name', [{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c9', name: 'lookup' }] }]],
  ])('where content is left out and only %s stands there, neither presence nor absence is decided', (_, output) => {
    const spans = changed('6', (span) => setAttributes(span, { 'gen_ai.output.messages': JSON.stringify(output) }));
    for (const parameters of [{ text: '40' }, { without: 'CANNOT' }]) {
      expect(told(judge(responseContains, spans, parameters))).toEqual(['inconclusive', [], ['content']]);
    }
  });

  test('without content, without model calls, on a remote source: not decided', () => {
    expect(told(judge(responseContains, refusedAnswer, { text: 'x' }))).toEqual(['inconclusive', [], ['content']]);
    expect(told(judge(responseContains, without('2', '4', '6'), { text: 'x' }))).toEqual([
      'inconclusive',
      [],
      // Nor does a trace without model spans show that there was none.
      ['nothing-examined', 'visibility', 'visibility'],
    ]);
    expect(told(judge(responseContains, orderStory(), { text: '40 euros' }, remote))).toEqual([
      'inconclusive',
      [],
      ['completeness'],
    ]);
  });
});

describe('CitationsSupported', () => {
  test('an answer that cites nothing is inconclusive, unless that is allowed with a reason', () => {
    expect(told(judge(citationsSupported, answering('Done.'), {}))).toEqual(['inconclusive', [], ['nothing-examined']]);
    const allowed = judge(citationsSupported, answering('NOT FOUND'), { allowEmpty: 'the corpus does not say' });
    expect(told(allowed)).toEqual(['passed', [], []]);
    expect(allowed.remarks).toEqual(['the answer cites nothing, which is allowed: the corpus does not say']);
  });

  test('without a retrieval in the trace nobody knows what was returned', () => {
    expect(told(judge(citationsSupported, without('7'), {}))).toEqual(['inconclusive', [], ['visibility']]);
  });

  test('a pattern of one’s own has one group', () => {
    const spans = answering('See (doc policy-7) and (doc policy-9).');
    expect(told(judge(citationsSupported, spans, { pattern: '\\(doc ([^)]+)\\)', atLeast: 2 }))).toEqual([
      'passed',
      [],
      [],
    ]);
    for (const pattern of ['no group', '(two)(groups)', '(']) {
      expect(citationsSupported.parameters.safeParse({ pattern }).error?.issues.map(({ message }) => message)).toEqual([
        'expected a regular expression with one group, the cited id',
      ]);
    }
  });
});

describe('Retrieved', () => {
  test('a document that is there is decided on any state, one that is not there is not', () => {
    expect(told(judge(retrieved, orderStory(), { documents: ['policy-9'] }, remote))).toEqual(['passed', [], []]);
    expect(told(judge(retrieved, orderStory(), { documents: ['policy-1'] }, remote))).toEqual([
      'inconclusive',
      [],
      ['completeness'],
    ]);
  });

  test('a retrieval that does not tell its documents decides no absence', () => {
    const spans = changed('7', (span) => setAttributes(span, { 'gen_ai.retrieval.documents': undefined }));
    expect(told(judge(retrieved, spans, { documents: ['policy-7'] }))).toEqual(['inconclusive', [], ['content']]);
    expect(told(judge(retrieved, spans, {}))).toEqual(['passed', [], []]);
  });
});

describe('HandedOff', () => {
  const transfer = toolSpan('8', 410, { id: 'c8', name: 'transfer_to_billing', arguments: {}, result: 'ok' });

  test.each([
    [{ match: { from: 'order-support', to: 'billing' } }, ['passed', [], []]],
    [{ match: { to: 'sales' } }, ['failed', ['too-few-handoffs'], []]],
    [{ match: { to: 'sales' }, expect: { none: true } }, ['passed', [], []]],
    [{ expect: { exactly: 1 } }, ['passed', [], []]],
  ])('%j', (parameters, expected) => {
    expect(told(judge(handedOff, withMore(transfer), parameters))).toEqual(expected);
  });

  test('an agent without a name may be any', () => {
    const options: ViewOptions = { run: { handoffs: [{ from: null, to: 'billing', spans: [] }] } };
    expect(told(judge(handedOff, orderStory(), { match: { from: 'order-support' } }, options))).toEqual([
      'inconclusive',
      [],
      ['visibility'],
    ]);
    expect(told(judge(handedOff, orderStory(), { match: { to: 'billing' } }, options))).toEqual(['passed', [], []]);
  });
});

describe('NoHumanInput', () => {
  const later = JSON.stringify([
    { role: 'user', parts: [{ type: 'text', content: 'Please refund.' }] },
    { role: 'assistant', parts: [{ type: 'text', content: 'Sure?' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Yes.' }] },
  ]);

  test('a user message that came in later may be a person’s', () => {
    const spans = changed('6', (span) => setAttributes(span, { 'gen_ai.input.messages': later }));
    const { status, missing } = judge(noHumanInput, spans, {});
    expect(status).toBe('inconclusive');
    expect(missing.map(({ message }) => message)).toContain(
      'a message with the role user came in after the start, and the trace does not tell whether a person wrote it; a human-input span would tell',
    );
  });

  test('the message that starts the run is no input after its start; an allowed kind is allowed', () => {
    const [top, , first] = viewOf(orderStory()).run.traces[0]?.spans ?? [];
    if (top === undefined || first === undefined) throw new Error('the story has spans');
    const starting: ViewOptions = { run: { humanInputs: [{ kind: 'message', spans: [top] }] } };
    expect(told(judge(noHumanInput, orderStory(), {}, starting))).toEqual(['passed', [], []]);
    const approved: ViewOptions = { run: { humanInputs: [{ kind: 'approval', spans: [first] }] } };
    expect(told(judge(noHumanInput, orderStory(), {}, approved))).toEqual(['failed', ['human-input'], []]);
    expect(told(judge(noHumanInput, orderStory(), { allow: ['approval'] }, approved))).toEqual(['passed', [], []]);
  });
});

describe('StageObserved', () => {
  const recall = (...counts: readonly (number | undefined)[]): SpanSketch[] =>
    changed('7', (span) => {
      span.events = counts.map((admitted) => ({
        name: 'otel_eval.evidence.recall',
        attributes: admitted === undefined ? {} : { admitted },
      }));
    });
  const wanted = { stage: 'recall', minimumCounts: { admitted: 2 } };

  test.each([
    [[3], {}, ['passed', [], []]],
    [[1, 2], {}, ['passed', [], []]],
    [[1, undefined], {}, ['inconclusive', [], ['stamp']]],
    [[2, undefined], { atLeast: 2 }, ['inconclusive', [], ['stamp']]],
    [[2, 1], { atLeast: 2 }, ['failed', ['count-too-low'], []]],
    [[2], { atLeast: 2 }, ['failed', ['stage-absent'], []]],
  ] as const)('counts %j, %j', (counts, more, expected) => {
    expect(told(judge(stageObserved, recall(...counts), { ...wanted, ...more }))).toEqual(expected);
  });

  test('a span and an event on it of one name are one occurrence', () => {
    const both = changed('7', (span) => {
      span.name = 'recall';
      span.events = [{ name: 'otel_eval.evidence.recall', attributes: { admitted: 2 } }];
    });
    expect(told(judge(stageObserved, both, wanted))).toEqual(['passed', [], []]);
    expect(told(judge(stageObserved, both, { stage: 'recall', atLeast: 2 }))).toEqual(['failed', ['stage-absent'], []]);
  });

  test('a span that ended with an error is no evidence that the stage took place', () => {
    const stage = { stage: 'retrieval policies' };
    const failing = (...ids: string[]): SpanSketch[] => {
      const [own] = orderStory().filter(({ id }) => id === '7');
      const second = { ...own, id: '8', start: 9 } as SpanSketch;
      const spans = [...orderStory(), second];
      return spans.map((span) => (ids.includes(span.id) ? { ...span, status: 'error' as const } : span));
    };
    expect(told(judge(stageObserved, failing(), { ...stage, atLeast: 2 }))).toEqual(['passed', [], []]);
    expect(told(judge(stageObserved, failing('7'), stage))).toEqual(['passed', [], []]);
    expect(told(judge(stageObserved, failing('7'), { ...stage, atLeast: 2 }))).toEqual([
      'failed',
      ['stage-failed'],
      [],
    ]);
    expect(told(judge(stageObserved, failing('7', '8'), stage))).toEqual(['failed', ['stage-failed'], []]);
    expect(told(judge(stageObserved, failing('7', '8'), stage, remote))).toEqual([
      'inconclusive',
      [],
      ['completeness'],
    ]);
    const within = recall(3).map((span) => (span.id === '7' ? { ...span, status: 'error' as const } : span));
    // The span that holds the event is another thing.
    expect(told(judge(stageObserved, within, wanted))).toEqual(['passed', [], []]);
    const open = orderStory().map((span) => (span.id === '7' ? { ...span, end: null } : span));
    expect(told(judge(stageObserved, open, stage))).toEqual(['inconclusive', [], ['visibility', 'completeness']]);
  });

  test('seen is decided on any state, absent is not', () => {
    expect(told(judge(stageObserved, recall(3), wanted, remote))).toEqual(['passed', [], []]);
    expect(told(judge(stageObserved, orderStory(), wanted, remote))).toEqual(['inconclusive', [], ['completeness']]);
  });
});
