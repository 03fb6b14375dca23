import { describe, expect, test } from 'vitest';
import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { spansMatch } from '../../assertions/spans-match.ts';
import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { type SpanSketch, traceId, type ViewOptions, viewOf } from '../view-builder.ts';

const remote = { kind: 'tempo', facts: { remote: true, ended: false } } satisfies ViewOptions;
const judge = (spans: readonly SpanSketch[], options?: ViewOptions, parameters: object = {}): Verdict =>
  executionTraceJoined.evaluate(viewOf(spans, options), executionTraceJoined.parameters.parse(parameters) as never);
const codes = ({ findings }: Verdict) => findings.map(({ code }) => code.replace('execution-trace-joined/', ''));
const told = (verdict: Verdict) => [verdict.status, codes(verdict), verdict.missing.map(({ kind }) => kind)];

const root: SpanSketch = { id: '1', name: 'run', end: 100 };
const child: SpanSketch = { id: '2', parent: '1', name: 'work', start: 10, end: 20 };
const orphan: SpanSketch = { id: '3', parent: '5a', name: 'lost', start: 30, end: 40 };

describe('what more spans could mend is not failed where they may have been lost', () => {
  test('an orphan: failed in a source that has ended, inconclusive in one that may have lost its parent', () => {
    expect(told(judge([root, child, orphan]))).toEqual(['failed', ['orphan-span'], []]);
    expect(told(judge([root, child, orphan], remote))).toEqual(['inconclusive', [], ['completeness']]);
    const saved: ViewOptions = { facts: { remote: true, ended: true } };
    expect(told(judge([root, child, orphan], saved))).toEqual(['inconclusive', [], ['completeness']]);
    expect(told(judge([root, child, orphan], { facts: { cut: true } }))).toEqual([
      'inconclusive',
      [],
      ['completeness'],
    ]);
  });

  test('a second root, a conflict, a cycle: failed everywhere', () => {
    const second: SpanSketch = { id: '3', name: 'chat', start: 30 };
    const conflict: SpanSketch = { ...child, name: 'other work' };
    const cycle: SpanSketch[] = [
      { id: '4', parent: '5' },
      { id: '5', parent: '4' },
    ];
    for (const options of [undefined, remote, { ...remote, beforeDeadline: true }]) {
      expect(codes(judge([root, child, second], options))).toEqual(['several-roots']);
      expect(codes(judge([root, child, conflict], options))).toEqual(['conflicting-copies']);
      expect(codes(judge([root, child, ...cycle], options))).toEqual(['cycle']);
    }
  });

  test('joined: passed in settled, also on a remote source; not before the deadline, not in a cut file', () => {
    const settled = { ...remote, facts: { remote: true, quiet: true, ended: false } };
    expect(told(judge([root, child]))).toEqual(['passed', [], []]);
    expect(told(judge([root, child], settled))).toEqual(['passed', [], []]);
    expect(told(judge([root, child], { ...settled, beforeDeadline: true }))).toEqual([
      'inconclusive',
      [],
      ['completeness'],
    ]);
    expect(told(judge([root, child], { facts: { cut: true } }))).toEqual(['inconclusive', [], ['completeness']]);
  });

  test('a gap in the event indices tells of a lost span, and of the app only where nothing can be lost', () => {
    const stamped = [root, child].map((span, index) => ({
      ...span,
      attributes: { [ownAttributes.segment]: '00000000000000e1', [ownAttributes.eventIndex]: index * 2 },
    }));
    expect(told(judge(stamped))).toEqual(['failed', ['event-index-gap'], []]);
    expect(told(judge(stamped, remote))).toEqual(['inconclusive', [], ['completeness']]);
    expect(told(judge(stamped, { ...remote, acceptsSettled: true }))).toEqual(['failed', ['event-index-gap'], []]);
  });

  test('event indices of two segments are counted apart', () => {
    const stamp = (span: SpanSketch, segment: string, index: number): SpanSketch => ({
      ...span,
      attributes: { [ownAttributes.segment]: segment, [ownAttributes.eventIndex]: index },
    });
    const spans = [stamp(root, 'e1', 0), stamp(child, 'e1', 1), stamp({ id: '4', parent: '2', start: 12 }, 'e2', 0)];
    expect(told(judge(spans))).toEqual(['passed', [], []]);
  });
});

describe('remote parents', () => {
  const top: SpanSketch = { ...root, parent: '4d', flags: 0x301 };

  test('pass only where the suite declares them', () => {
    expect(told(judge([top, child]))).toEqual(['failed', ['no-root', 'orphan-span'], []]);
    expect(told(judge([top, child], { remoteRoot: true }))).toEqual(['passed', [], []]);
    expect(told(judge([top, child], { remoteRoot: true, ...remote }))).toEqual(['passed', [], []]);
  });

  test('the declaration resolves one absent parent, and none beside a root', () => {
    expect(codes(judge([top, child, orphan], { remoteRoot: true }))).toEqual(['no-root', 'orphan-span', 'orphan-span']);
    expect(codes(judge([root, child, orphan], { remoteRoot: true }))).toEqual(['orphan-span']);
  });

  test('a child of the top span is a direct child', () => {
    expect(told(judge([top, child], { remoteRoot: true }, { children: 'direct' }))).toEqual(['passed', [], []]);
  });
});

describe('an absent parent that the suite declares', () => {
  const declared = { absentParentOf: ['lost'] };
  const ground = 'decided although the parent of 1 span is absent, as the suite declares';

  test('passes, with a root and without one, and the verdict says on what ground', () => {
    for (const spans of [[root, child, orphan], [orphan]]) {
      const verdict = judge(spans, declared);
      expect([told(verdict), verdict.remarks]).toEqual([['passed', [], []], [ground]]);
    }
    expect(told(judge([root, child, orphan], { ...declared, ...remote }))).toEqual(['passed', [], []]);
  });

  test('leaves every other absent parent as it is', () => {
    const further: SpanSketch = { id: '6', parent: '5a', name: 'other', start: 50 };
    const elsewhere: SpanSketch = { ...further, name: 'lost', parent: '5b' };
    const verdict = judge([root, child, orphan, further], declared);
    expect([codes(verdict), verdict.findings[0]?.spans.length, verdict.remarks]).toEqual([['orphan-span'], 1, []]);
    expect(codes(judge([root, child, orphan, elsewhere], declared))).toEqual(['orphan-span', 'orphan-span']);
    expect(codes(judge([orphan, further], declared))).toEqual(['no-root', 'orphan-span']);
    expect(codes(judge([root, child, orphan], { absentParentOf: ['work'] }))).toEqual(['orphan-span']);
    expect(told(judge([root, child, orphan, further], { ...declared, ...remote }))[0]).toBe('inconclusive');
  });

  test('in another trace of the run is a fault all the same', () => {
    const away: SpanSketch = { ...orphan, parent: '1', trace: 'b2' };
    expect(codes(judge([root, away], { ...declared, runs: { oneRun: true } }))).toContain('child-in-other-trace');
  });

  test('makes what is exact or absent decidable, and says so there too', () => {
    const none = (options: ViewOptions): Verdict =>
      spansMatch.evaluate(
        viewOf([root, child, orphan], options),
        spansMatch.parameters.parse({ match: {}, expect: { exactly: 3 } }) as never,
      );
    expect(none({}).status).toBe('inconclusive');
    expect([none(declared).status, none(declared).remarks]).toEqual(['passed', [ground]]);
  });
});

describe('remarks decide nothing', () => {
  test('a root that is not ended, a repeat, children outside of their parent’s time', () => {
    const spans: SpanSketch[] = [
      { ...root, end: null },
      child,
      child,
      { id: '3', parent: '2', name: 'stream', start: 300, end: 900 },
      { id: '4', parent: '2', name: 'early', start: 2, end: 5 },
    ];
    const verdict = judge(spans);
    expect(told(verdict)).toEqual(['passed', [], []]);
    expect(verdict.remarks).toEqual([
      '1 span came more than once with equal content, counted once',
      '"run" is not ended, so its duration is unknown',
      '"early" started before its parent',
      '"stream" started after its parent had ended',
    ]);
  });

  test('clocks that differ by a millisecond are no news', () => {
    const near: SpanSketch = { id: '3', parent: '2', name: 'near', start: 21, end: 22 };
    expect(judge([root, child, near]).remarks).toEqual([]);
  });

  test('traces of the same source that are outside of the run are named', () => {
    const unselected = [{ traceId: traceId('b2'), topSpanNames: ['invoke_agent old-run'] }];
    expect(judge([root, child], { unselected }).remarks).toEqual([
      `outside of this run, in the same source: "invoke_agent old-run" (${traceId('b2')})`,
    ]);
  });
});

test('two traces with one run id are one run that is not joined', () => {
  const of = (span: SpanSketch, trace: string): SpanSketch => ({
    ...span,
    trace,
    attributes: { [ownAttributes.runId]: 'r' },
  });
  const verdict = judge([of(root, 'a1'), of({ ...root, id: '9', name: 'worker' }, 'b2')]);
  expect(codes(verdict)).toEqual(['several-traces']);
  expect(verdict.findings[0]?.observed).toBe(
    `2 traces that nothing joins: "run" (${traceId('a1')}) and "worker" (${traceId('b2')})`,
  );
});

test('a heap of traces that nothing bounds is not joined either: no guess that each is a run', () => {
  expect(codes(judge([root, { ...root, id: '9', trace: 'b2', start: 200, end: 210 }]))).toEqual(['several-traces']);
});

test('several traces may be allowed, and said so; each of them must hang together nevertheless', () => {
  const part: SpanSketch = { ...root, id: '9', trace: 'b2', start: 200, end: 210 };
  const several = (spans: readonly SpanSketch[]): Verdict => judge(spans, undefined, { traces: 'several' });
  const verdict = several([root, part]);
  expect(told(verdict)).toEqual(['passed', [], []]);
  expect(verdict.remarks).toEqual([
    `2 traces that nothing joins: "run" (${traceId('a1')}) and "run" (${traceId('b2')}), which is allowed`,
  ]);
  expect(codes(several([root, part, orphan]))).toEqual(['orphan-span']);
  expect(codes(several([root, part, { ...part, id: '8' }]))).toEqual(['several-roots']);
  expect(codes(several([root, part, { ...part, id: '8', parent: '1' }]))).toEqual(['child-in-other-trace']);
});

test('equal conversation ids are no substitute for one trace id', () => {
  const of = (id: string, trace: string): SpanSketch => ({ id, trace, attributes: { 'session.id': 's' } });
  const verdict = judge([of('1', 'a1'), of('2', 'b2'), of('3', 'c3')], { runs: { runBy: 'conversation' } });
  expect(codes(verdict)).toEqual(['several-traces']);
});

test('a deep chain, a wide root and a long cycle are read without using up the stack', () => {
  const hex = (n: number) => n.toString(16).padStart(8, '0');
  const count = 5_000;
  const chain = Array.from(
    { length: count },
    (_, i): SpanSketch => ({ id: hex(i + 1), ...(i > 0 ? { parent: hex(i) } : {}) }),
  );
  expect(told(judge(chain))).toEqual(['passed', [], []]);
  const cycle = chain.map((span, i) => (i === 0 ? { ...span, parent: hex(count) } : span));
  expect(codes(judge(cycle))).toEqual(['no-root', 'cycle']);
  const wide = chain.map((span, i) => (i === 0 ? span : { ...span, parent: hex(1) }));
  expect(told(judge(wide))).toEqual(['passed', [], []]);
});

describe('conversation ids', () => {
  const with1 = (span: SpanSketch, conversation: string, more: Record<string, unknown> = {}): SpanSketch => ({
    ...span,
    attributes: { ...more, 'gen_ai.conversation.id': conversation },
  });
  const agent = (id: string, conversation: string, parent?: string): SpanSketch =>
    with1({ id, ...(parent === undefined ? {} : { parent }), end: 100 }, conversation, {
      'gen_ai.operation.name': 'invoke_agent',
    });

  test('an agent that is called by another has a conversation of its own', () => {
    const spans = [
      agent('1', 'c-1'),
      with1(child, 'c-1'),
      agent('3', 'c-2', '2'),
      with1({ id: '4', parent: '3' }, 'c-2'),
    ];
    expect(told(judge(spans))).toEqual(['passed', [], []]);
    const astray = [...spans, with1({ id: '5', parent: '3' }, 'c-1')];
    expect(codes(judge(astray))).toEqual(['conversation-id-differs']);
  });

  test('the id of the response before names no conversation', () => {
    const chat = (id: string, previous: string, response: string) =>
      with1({ id, parent: '1' }, previous, { 'gen_ai.response.id': response });
    expect(told(judge([root, chat('2', 'r-0', 'r-1'), chat('3', 'r-1', 'r-2'), chat('4', 'r-2', 'r-3')]))).toEqual([
      'passed',
      [],
      [],
    ]);
    expect(codes(judge([root, chat('2', 'c-1', 'r-1'), chat('3', 'c-2', 'r-2')]))).toEqual(['conversation-id-differs']);
  });
});
