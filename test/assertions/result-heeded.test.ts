import { describe, expect, test } from 'vitest';
import { resultHeeded } from '../../assertions/result-heeded.ts';
import { viewOf } from '../view-builder.ts';
import { type TicketStory, ticketStory } from './mutations/recovered-unattended.ts';

const right = { id: 'T-1', status: 'closed' };
const wrong = { ...right, status: 'Closed' };
const ok = (given: object = right) => ({ arguments: given, result: { ok: true } });
const failed = (error: object | string, given: object = wrong) => ({ arguments: given, result: { error } });

type Story = ReturnType<typeof ticketStory>;

function judge(story: TicketStory | Story, more: object) {
  const spans = Array.isArray(story) ? story : ticketStory(story as TicketStory);
  const parameters = resultHeeded.parameters.parse({ tool: 'update_ticket', ...more });
  const { status, findings, missing } = resultHeeded.evaluate(viewOf(spans), parameters);
  return [status, findings.map(({ code }) => code), missing.map(({ kind }) => kind)];
}

const corrects = { expect: { corrects: 'named' } };
const stops = { error: 'ticket_locked', expect: { stops: true } };
const once = { expect: { commitsOnce: true } };

/** Without what the model gave to the tool and got from it. */
function bare(spans: Story): Story {
  return spans.map((span) => {
    const kept = Object.entries(span.attributes ?? {}).filter(([key]) => !/arguments|messages|result/.test(key));
    const broke = span.id === '30' ? { status: 'error' as const, attributes: { ...Object.fromEntries(kept) } } : {};
    return { ...span, attributes: Object.fromEntries(kept), ...broke };
  });
}

describe('ResultHeeded, R3-01', () => {
  test.each([
    ['corrects', corrects],
    ['stops', stops],
    ['commitsOnce', once],
  ])('%s: where nothing happened that is to be heeded, nothing is shown', (_, expectation) => {
    expect(judge({ tries: [ok()] }, expectation)).toEqual(['inconclusive', [], ['not-exercised']]);
  });

  test('another error than the one that is meant is no occasion', () => {
    const tries = [failed({ code: 'invalid_status', field: 'status' }), ok()];
    expect(judge({ tries }, stops)).toEqual(['inconclusive', [], ['not-exercised']]);
    expect(judge({ tries }, corrects)[0]).toBe('passed');
  });

  test.each([
    ['{ field }', { field: 'status' }],
    ['{ path: [..] } in a list', { issues: [{ path: ['status'] }] }],
    ['{ param }', { param: 'status' }],
  ])('the error names its field as %s', (_, error) => {
    expect(judge({ tries: [failed(error), ok()] }, corrects)[0]).toBe('passed');
    const resampled = ok({ ...right, id: 'T-2' });
    expect(judge({ tries: [failed(error), resampled] }, corrects)).toEqual(['failed', ['result-heeded/resampled'], []]);
  });

  test('a call of the same turn could not know of the failure: no correction, and no going on', () => {
    const locked = { code: 'ticket_locked', field: 'status' };
    const story = ticketStory({ tries: [failed(locked), ok()] });
    const messages = (id: string): { parts: object[] }[] =>
      JSON.parse(String(story.find((span) => span.id === id)?.attributes?.['gen_ai.output.messages']));
    const parts = [...(messages('20')[0]?.parts ?? []), ...(messages('21')[0]?.parts ?? [])];
    const both = JSON.stringify([{ role: 'assistant', parts }]);
    const turn = story
      .filter(({ id }) => id !== '21')
      .map((span) =>
        span.id === '20' ? { ...span, attributes: { ...span.attributes, 'gen_ai.output.messages': both } } : span,
      );
    expect(judge(turn, corrects)).toEqual(['failed', ['result-heeded/not-corrected'], []]);
    expect(judge(turn, stops)).toEqual(['passed', [], []]);
  });

  test('an error that names no field leaves it open', () => {
    expect(judge({ tries: [failed('bad status'), ok()] }, corrects)).toEqual(['inconclusive', [], ['content']]);
  });

  test('without arguments in the trace nothing is said of corrections, nor of what a later call is about', () => {
    const hidden = bare(ticketStory({ tries: [failed({ code: 'ticket_locked', field: 'status' }), ok()] }));
    const explicit = { expect: { corrects: ['status'] } };
    expect(judge(hidden, explicit)).toEqual(['inconclusive', [], expect.arrayContaining(['content'])]);
    const identified = { expect: { stops: true }, identity: ['id'] };
    expect(judge(hidden, identified)).toEqual(['inconclusive', [], expect.arrayContaining(['content'])]);
    expect(judge(hidden, { expect: { stops: true } })).toEqual(['failed', ['result-heeded/went-on'], []]);
  });

  test('without a ledger nothing is said of replays', () => {
    const story = ticketStory({ tries: [ok(), ok()] }).filter(({ id }) => id !== '9');
    expect(judge(story, once)).toEqual(['inconclusive', [], ['ledger']]);
  });

  test('a replay that the store turned away shows itself in the ledger alone', () => {
    const effects = [{ identity: 1 }, { identity: 1, state: 'rejected' }];
    expect(judge({ tries: [ok(), ok({ ...right, note: 'again' })], effects }, once)[0]).toBe('passed');
    const twice = [{ identity: 1 }, { identity: 1 }];
    expect(judge({ tries: [ok()], effects: twice }, once)).toEqual(['failed', ['result-heeded/committed-again'], []]);
    const others = [{ identity: 1 }, { identity: 2 }];
    expect(judge({ tries: [ok(), ok()], effects: others }, once)[0]).toBe('passed');
  });

  test('a call is about one thing at a time: each is corrected by the next about the same', () => {
    const error = { code: 'invalid_status', field: 'status' };
    const other = { id: 'T-2', status: 'Closed' };
    const tries = [failed(error), failed(error, other), ok({ ...other, status: 'closed' }), ok()];
    expect(judge({ tries }, { ...corrects, identity: ['id'] })[0]).toBe('passed');
    expect(judge({ tries }, corrects)[0]).toBe('failed');
  });

  test('two expectations at once, or none, are refused', () => {
    for (const expect_ of [{}, { stops: true, commitsOnce: true }]) {
      const result = resultHeeded.parameters.safeParse({ tool: 't', expect: expect_ });
      expect(result.error?.issues.map(({ message }) => message)).toEqual([
        'expected one of corrects, stops and commitsOnce',
      ]);
    }
  });
});
