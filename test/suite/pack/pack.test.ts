import { describe, expect, test } from 'vitest';
import { assertions } from '../../../assertions/index.ts';
import { applicabilityOf } from '../../../src/suite/pack/applicability.ts';
import { manifestOf, parseEntry } from '../../../src/suite/pack/manifest.ts';
import { knownPacks, type Pack } from '../../../src/suite/pack/pack.ts';
import { packProven } from '../../../src/suite/pack/pack-proven.ts';
import { parseSuite } from '../../../src/suite/parse-suite.ts';
import { type MadeSpan, madeTraces, madeView } from '../made-traces.ts';

const pack: Pack = {
  name: 'approval',
  requires: { tools: ['issue_refund@mcp:orders'], operations: ['resume'], evidence: ['approval.asked'] },
};
const declared = {
  'otel_eval.manifest.tools': ['issue_refund@mcp:orders'],
  'otel_eval.manifest.operations': ['resume'],
};
const span = (changes: Partial<MadeSpan> = {}): MadeSpan => ({
  id: 'b',
  resource: declared,
  events: ['otel_eval.evidence.approval.asked'],
  ...changes,
});
const applicability = (resource: MadeSpan['resource']) =>
  applicabilityOf(
    pack,
    manifestOf(
      madeTraces([span({ resource: resource ?? {} })]).flatMap(({ trace }) => trace.spans.map((each) => each.resource)),
    ),
  );

describe('what a target has', () => {
  test('entries name source and precondition', () => {
    expect(parseEntry('issue_refund@mcp:orders#approved')).toEqual({
      name: 'issue_refund',
      source: 'mcp:orders',
      precondition: 'approved',
    });
    expect(parseEntry('resume')).toEqual({ name: 'resume', source: null, precondition: null });
  });

  test('all there: applicable', () => {
    expect(applicability(declared)).toEqual({ state: 'applicable', missing: [] });
  });

  test('explicitly absent: not applicable, with the missing thing by name', () => {
    expect(applicability({ ...declared, 'otel_eval.manifest.operations': [] })).toEqual({
      state: 'notApplicable',
      missing: ['operation resume'],
    });
  });

  test('the same name from another source, or under another precondition, is something else', () => {
    for (const tool of ['issue_refund@mcp:other', 'issue_refund']) {
      expect(applicability({ ...declared, 'otel_eval.manifest.tools': [tool] })).toEqual({
        state: 'notApplicable',
        missing: ['tool issue_refund@mcp:orders'],
      });
    }
    const guarded: Pack = { name: 'x', requires: { tools: ['pay#approved'] } };
    const having = (entry: string) => applicabilityOf(guarded, new Map([['tools', [parseEntry(entry)]]])).state;
    expect([having('pay#approved'), having('pay@a#approved'), having('pay#any'), having('pay')]).toEqual([
      'applicable',
      'applicable',
      'notApplicable',
      'notApplicable',
    ]);
  });

  test('not told is not absent', () => {
    expect(applicability({})).toEqual({
      state: 'unknown',
      missing: ['tool issue_refund@mcp:orders', 'operation resume'],
    });
  });

  test('services complement each other', () => {
    const resources = madeTraces([
      span({ resource: { 'otel_eval.manifest.tools': ['issue_refund@mcp:orders'] } }),
      span({ id: 'c', parent: 'b'.repeat(16), resource: { 'otel_eval.manifest.operations': ['resume'] } }),
    ]).flatMap(({ trace }) => trace.spans.map((each) => each.resource));
    expect(applicabilityOf(pack, manifestOf(resources)).state).toBe('applicable');
  });

  test('claims that nobody can judge with authority stay not applicable by name', () => {
    const claims = knownPacks.find(({ name }) => name === 'unsupported-claims')!;
    expect(applicabilityOf(claims, new Map([['traits', [parseEntry('retrieval.revision')]]]))).toEqual({
      state: 'notApplicable',
      missing: ['trait claims.authoritative'],
    });
  });
});

describe('the proof in a trial', () => {
  const verdict = (changes: Partial<MadeSpan>, options: { cut?: boolean } = {}) =>
    packProven.evaluate(madeView(madeTraces([span(changes)], options)), pack);

  test('declared and shown passes', () => {
    expect(verdict({})).toMatchObject({ status: 'passed', examined: 1 });
  });

  test('declared before and missing now fails', () => {
    const { status, findings } = verdict({ resource: { ...declared, 'otel_eval.manifest.operations': ['other'] } });
    expect([status, findings.map(({ code, observed }) => `${code}: ${observed}`)]).toEqual([
      'failed',
      ['pack-proven/no-longer-declared: its manifest lacks operation resume'],
    ]);
  });

  test('a stage that is not shown fails on a whole trace, and is open on one that was cut', () => {
    const whole = verdict({ events: [] });
    expect([whole.status, whole.findings[0]?.code, whole.findings[0]?.observed]).toEqual([
      'failed',
      'pack-proven/evidence-missing',
      'no span event tells of approval.asked',
    ]);
    expect(verdict({ events: [] }, { cut: true }).status).toBe('inconclusive');
  });

  test('a target without a manifest proves nothing', () => {
    const { status, missing } = verdict({ resource: {} });
    expect([status, missing[0]?.kind, missing[0]?.message]).toEqual([
      'inconclusive',
      'projection',
      'the target does not tell whether it has tool issue_refund@mcp:orders; a manifest on its resource (otel_eval.manifest.*) would',
    ]);
  });

  test('a stage may stand in an attribute of its event, as the helpers write it', () => {
    const asked = (stage: string) => verdict({ events: [`otel_eval.evidence.approval ${stage}`] }).status;
    expect(['asked', 'granted'].map(asked)).toEqual(['passed', 'failed']);
  });
});

describe('a known pack is proven by its own assertion', () => {
  const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
  const problems = (packs: unknown, pack: string, asserts: readonly unknown[]) => {
    const scenarios = [{ name: 'a', pack, steps: ['x'], assertions: asserts }];
    const suite = { schema: 'otel-eval/suite/v1', packs, scenarios };
    return parseSuite(suite, registry, { name: null }).problems?.map(({ message, path }) => [path, message]);
  };
  const approvals = { ApprovalHeld: { tool: 'issue_refund', resume: 'resume_run' } };

  test.each([
    ['security', 'InjectionContained'],
    ['approval', 'ApprovalHeld'],
    ['procedural-skill', 'ProcedureGuarded'],
  ])('%s by %s', (pack, provenBy) => {
    expect(problems([pack], pack, ['ExecutionTraceJoined'])).toEqual([
      [['packs', 0], `no scenario of the pack "${pack}" asks for ${provenBy}, which proves it`],
    ]);
  });

  test('with it the suite is valid, and so is a pack of the suite that says itself what it requires', () => {
    expect(problems(['approval'], 'approval', [approvals])).toBeUndefined();
    expect(problems([pack], 'approval', ['ExecutionTraceJoined'])).toBeUndefined();
  });
});
