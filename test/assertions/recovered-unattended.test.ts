import { describe, expect, test } from 'vitest';
import { recoveredUnattended } from '../../assertions/recovered-unattended.ts';
import { type AttemptRun, attemptClaim } from '../../src/faults/unattended/attempt-claim.ts';
import { randomIndex, seededRandom } from '../../src/statistics/random.ts';
import { type SpanSketch, viewOf } from '../view-builder.ts';
import { ticketStory, unattended } from './mutations/recovered-unattended.ts';

const judge = (story = ticketStory(), parameters: object = unattended) =>
  recoveredUnattended.evaluate(viewOf(story), recoveredUnattended.parameters.parse(parameters));
const problems = (parameters: object) =>
  recoveredUnattended.parameters.safeParse(parameters).error?.issues.map(({ message }) => message) ?? [];

const right = { arguments: { id: 'T-8841', status: 'closed' }, result: { ok: true } };

describe('RecoveredUnattended', () => {
  test('R3-08, R3-09: closes T-8841 at the second attempt, and the store agrees', () => {
    const verdict = judge();
    expect(verdict).toMatchObject({ status: 'passed', findings: [], missing: [] });
    expect(verdict.facts).toEqual({ exercised: true, recovered: true, attempts: 2, atCap: false });
  });

  test.each([
    // Of a hundred runs so many need a fifth attempt or more.
    [0, { neverRecovered: 0, exceedances: 0, decision: 'pass' }],
    [5, { neverRecovered: 0, exceedances: 12, decision: 'insufficient' }],
    [15, { neverRecovered: 0, exceedances: 26, decision: 'fail' }],
  ])('R3-08: 200 repetitions of T-8841, four attempts allowed, %i %% of them slow', (slow, claim) => {
    const random = seededRandom(8841);
    const runs = Array.from({ length: 200 }, (): AttemptRun => {
      const wrongs = randomIndex(random, 100) < slow ? 4 : 1 + randomIndex(random, 3);
      const wrong = { arguments: { id: 'T-8841', status: 'Closed' }, result: { error: 'status: expected closed' } };
      const verdict = judge(ticketStory({ tries: [...Array.from({ length: wrongs }, () => wrong), right] }));
      expect(verdict.status).toBe(wrongs > 3 ? 'failed' : 'passed');
      return { ...(verdict.facts as unknown as AttemptRun), corpusCase: 'T-8841' };
    });
    expect(attemptClaim(runs, 4)).toMatchObject({ runs: 200, exercised: 200, scope: 'one case', ...claim });
  });

  test('R3-03: a run whose first call was right shows nothing of recovery, and is no failure', () => {
    const verdict = judge(ticketStory({ tries: [right] }));
    expect(verdict).toMatchObject({ status: 'inconclusive', findings: [] });
    expect(verdict.missing.map(({ kind }) => kind)).toEqual(['not-exercised']);
    expect(verdict.facts).toMatchObject({ exercised: false });
  });

  test('R3-23: a bound that was written down from what passes is refused', () => {
    expect(problems({ ...unattended, attempts: { max: 4, cap: 12, source: 'Observed' } })).toEqual([
      'expected where the bound comes from (a pilot with date and number of runs, a requirement), got "observed"',
    ]);
  });

  test('R3-29: no bound at all is refused', () => {
    expect(problems({ tool: 'update_ticket', normalisers: [] }).length).toBe(1);
  });

  test('a cap that is the bound is refused: it could never be broken', () => {
    expect(problems({ ...unattended, attempts: { max: 4, cap: 4, source: 'requirement' } })).toEqual([
      'expected a cap of at least three times max: a bound that the runner enforces can never be broken',
    ]);
  });

  test('R3-06: a declared normaliser fails the run', () => {
    const verdict = judge(ticketStory(), { ...unattended, normalisers: ['lower-case'] });
    expect(verdict.findings.map(({ observed }) => observed)).toEqual(['1 layer declared']);
  });

  test.each([['no canary', { canary: '' }, 'canary']])('%s: inconclusive', (_, story, kind) => {
    const verdict = judge(ticketStory(story));
    expect([verdict.status, verdict.missing.map((each) => each.kind)]).toEqual(['inconclusive', [kind]]);
    expect(verdict.facts).toMatchObject({ recovered: false });
  });

  test('R3-06: a tool that is called so is no repair layer', () => {
    const call = {
      id: '8',
      parent: '1',
      name: 'execute_tool schedule_repair',
      scope: 'otel-eval',
      start: 190,
      end: 195,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'schedule_repair',
        'gen_ai.tool.call.result': '{"ok":true}',
      },
    };
    expect(judge(ticketStory({ more: [call] })).findings).toEqual([]);
  });

  test('R3-29: what is refused is the bound that is not there', () => {
    const { error } = recoveredUnattended.parameters.safeParse({ tool: 'update_ticket', normalisers: [] });
    expect(error?.issues.map(({ path }) => path)).toEqual([['attempts']]);
  });

  test('a canary to another tool says nothing of this one', () => {
    const other = { id: '7', parent: '1', name: 'probe', scope: 'app', start: 5, end: 6 };
    const event = {
      name: 'otel_eval.evidence.canary',
      attributes: { stage: 'rejected', 'gen_ai.tool.name': 'get_ticket' },
    };
    const verdict = judge(ticketStory({ canary: '', more: [{ ...other, events: [event] }] }));
    expect([verdict.status, verdict.missing.map(({ kind }) => kind)]).toEqual(['inconclusive', ['canary']]);
  });

  test('R3-07: a message of the user that came in after the start is not called unattended', () => {
    const story = ticketStory();
    const said = JSON.stringify({ role: 'user', parts: [{ type: 'text', content: 'Write it in small letters.' }] });
    const later = story.map((span) => {
      const input = span.attributes?.['gen_ai.input.messages'];
      if (span.id === '20' || typeof input !== 'string') return span;
      return {
        ...span,
        attributes: { ...span.attributes, 'gen_ai.input.messages': `${input.slice(0, -1)},${said}]` },
      };
    });
    const verdict = judge(later);
    expect([verdict.status, verdict.findings, verdict.missing.map(({ kind }) => kind)]).toEqual([
      'inconclusive',
      [],
      ['visibility'],
    ]);
    const unread = story.map((span) => {
      const { 'gen_ai.input.messages': _, ...attributes } = span.attributes ?? {};
      return span.id === '21' ? { ...span, attributes } : span;
    });
    expect(judge(unread).missing.map(({ message }) => message)).toEqual([
      'what 1 later model call was sent is not in the trace; content mode would show whether a person spoke',
    ]);
  });

  test('a harness that failed shows nothing', () => {
    const event = { name: 'otel_eval.evidence.harness', attributes: { stage: 'drain' } };
    const drain = {
      id: '7',
      parent: '1',
      name: 'otel_eval ledger',
      scope: 'otel-eval/faults',
      start: 2_960,
      end: 2_970,
    };
    const verdict = judge(ticketStory({ more: [{ ...drain, events: [event] }] }));
    expect([verdict.status, verdict.missing.map(({ kind }) => kind)]).toEqual(['inconclusive', ['harness']]);
  });

  test('without a ledger nothing is shown of effects', () => {
    const verdict = judge(ticketStory().filter(({ id }) => id !== '9'));
    expect(verdict.missing.map(({ kind }) => kind)).toEqual(['ledger', 'end-state']);
  });

  test('a write whose answer was lost counts where a read shows it', () => {
    const lost = { arguments: { id: 'T-8841', status: 'closed' }, result: { error: 'timeout' } };
    const read = {
      id: '8',
      parent: '1',
      name: 'execute_tool get_ticket',
      scope: 'otel-eval',
      start: 95,
      end: 98,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'get_ticket',
        'gen_ai.tool.call.result': '{"status":"closed"}',
      },
    };
    const reading = (given: object | undefined, parameters: object) => {
      const more = given === undefined ? {} : { 'gen_ai.tool.call.arguments': JSON.stringify(given) };
      const story = ticketStory({
        tries: [lost],
        more: [{ ...read, attributes: { ...read.attributes, ...more } }],
      });
      const { findings, missing } = judge(story, parameters);
      const untold = missing.filter(({ message }) =>
        message.includes('whether the read after it was of the same thing'),
      );
      return [findings.map(({ code }) => code), untold.length];
    };
    const verify = { ...unattended, verify: ['get_ticket'] };
    const failed = [['recovered-unattended/no-ok-result'], 0];
    expect(reading({ id: 'T-8841' }, unattended)).toEqual(failed);
    expect(reading({ id: 'T-8841' }, verify)).toEqual([[], 0]);
    expect(reading({ ticket: 'T-8841' }, verify)).toEqual([[], 0]);
    // Another ticket shows nothing of this one; which one it was may not be in the trace.
    expect(reading({ id: 'T-9' }, verify)).toEqual(failed);
    expect(reading(undefined, verify)).toEqual([[], 1]);
    expect(reading({ page: 1 }, verify)).toEqual([[], 1]);
  });

  test('an effect of another tool may be the same one made again', () => {
    const another = (identity: number): SpanSketch[] =>
      ticketStory({ effects: [{ identity: 1 }, { identity }] }).map((span) => {
        const events = (span.events ?? []).map((event) =>
          event.attributes?.['index'] === 1
            ? { ...event, attributes: { ...event.attributes, 'gen_ai.tool.name': 'set_status' } }
            : event,
        );
        return { ...span, events };
      });
    const told = (story: SpanSketch[], more: object = {}) => {
      const { status, findings, missing, facts } = judge(story, { ...unattended, ...more });
      return [status, findings.map(({ observed }) => observed), missing.map(({ kind }) => kind), facts?.['recovered']];
    };
    expect(told(another(1))).toEqual(['failed', ['2, the same one more than once'], [], false]);
    expect(told(another(1), { otherEffects: ['set_status'] })).toEqual([
      'failed',
      ['2, the same one more than once'],
      [],
      false,
    ]);
    expect(told(another(2))).toEqual(['inconclusive', [], ['ledger'], false]);
    expect(told(another(2), { otherEffects: ['set_status'] })).toEqual(['passed', [], [], true]);
  });
});
