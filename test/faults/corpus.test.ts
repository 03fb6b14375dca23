import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type FirstCallRequest, firstCalls } from '../../src/faults/economics/first-calls.ts';
import { RejectedCalls } from '../../src/faults/economics/rejected-calls.ts';
import { type RejectedSource, rejectedSource } from '../../src/faults/economics/rejected-source.ts';
import { ticketStory } from '../assertions/mutations/recovered-unattended.ts';
import { viewOf } from '../view-builder.ts';

const given = { id: 'T-8841', status: 'in_progress', amount: 40, customer: { id: 'C-7' } };
const failed = (args: object, error: object | string) => ({ arguments: args, result: { error } });
const ok = (args: object) => ({ arguments: args, result: { ok: true } });

function sourceOf(args: object, code = 'invalid', right: object | null = given): RejectedSource | undefined {
  const tries = [failed(args, { code }), ...(right === null ? [] : [ok(right)])];
  const [first, next] = viewOf(ticketStory({ tries })).run.toolCalls;
  return rejectedSource(first!, next);
}

describe('where a rejected call comes from, R3-14', () => {
  test.each([
    ['as people read it', { ...given, status: 'In Progress' }, 'ui_vs_enum'],
    ['in capitals', { ...given, status: 'IN-PROGRESS' }, 'ui_vs_enum'],
    ['a name that is several ids', { ...given, customer: { id: 'Ana Meyer' } }, 'entity_id'],
    ['an id of another kind', { ...given, id: '8841' }, 'entity_id'],
    ['with its unit', { ...given, amount: '40 euros' }, 'quantity_format'],
    ['as text', { ...given, amount: '40' }, 'quantity_format'],
    ['right as it was, and refused at first', given, 'domain_precondition'],
    ['another value altogether', { ...given, status: 'done' }, undefined],
    ['another number', { ...given, amount: '41 euros' }, undefined],
  ] as const)('%s: %j', (_, args, source) => {
    expect(sourceOf(args)).toBe(source);
  });

  test('thousands are told from lists of numbers', () => {
    expect(sourceOf({ ...given, amount: "1'200.50 EUR" }, 'invalid', { ...given, amount: 1_200.5 })).toBe(
      'quantity_format',
    );
    expect(sourceOf({ ...given, amount: '1 to 40' })).toBe(undefined);
  });

  test.each([
    ['invalid_enum_value', 'ui_vs_enum'],
    ['ambiguous_customer', 'entity_id'],
    ['bad_currency', 'quantity_format'],
    ['already_closed', 'domain_precondition'],
    ['409', 'domain_precondition'],
    ['boom', undefined],
  ])('without a call that was right, by its code: %s', (code, source) => {
    expect(sourceOf(given, code, null)).toBe(source);
  });

  test('what was right in the end says more than a code', () => {
    expect(sourceOf({ ...given, status: 'In Progress' }, 'already_closed')).toBe('ui_vs_enum');
  });

  test('the corpus counts sources beside pathologies, each call once', () => {
    const rejected = new RejectedCalls();
    const wrong = failed({ ...given, status: 'In Progress' }, { code: 'invalid_status' });
    rejected.add(viewOf(ticketStory({ tries: [wrong, failed({}, { code: 'invalid_status' }), wrong, ok(given)] })).run);
    expect(rejected.top(5, 0)).toMatchObject([
      { code: 'invalid_status', calls: 3, pathological: { no_arguments: 1 }, sources: { ui_vs_enum: 2 } },
    ]);
  });
});

describe('first calls before there is traffic, R3-16', () => {
  const schema = z.strictObject({
    id: z.string(),
    status: z.enum(['open', 'closed']),
    customer: z.object({ id: z.string() }).optional(),
  });
  const tool = { tool: 'update_ticket', schema, instruction: 'Close T-8841, please.' };
  const right = { id: 'T-8841', status: 'closed' };

  /** Two in five are as people speak, one in five makes no call, one of fifty is nonsense. */
  const model = (asked: FirstCallRequest[]) => async (request: FirstCallRequest) => {
    asked.push(request);
    if (request.index === 7) return {};
    if (request.index % 5 === 0) return undefined;
    return request.index % 5 < 3 ? { status: 'Closed', id: 'T-8841' } : right;
  };

  test('asks fifty times at temperature 1.0 with the real tool and instruction, and keeps what the schema refuses', async () => {
    const asked: FirstCallRequest[] = [];
    const found = await firstCalls({ ...tool, generate: model(asked) });
    expect(found).toEqual({
      asked: 50,
      withoutCall: 10,
      valid: 20,
      rejected: [
        { arguments: { status: 'Closed', id: 'T-8841' }, times: 19, fields: ['status'], pathologies: [] },
        { arguments: {}, times: 1, fields: ['id', 'status'], pathologies: ['no_arguments'] },
      ],
    });
    expect(asked.map(({ index }) => index).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at));
    expect(new Set(asked.map(({ index: _, ...rest }) => JSON.stringify(rest)))).toEqual(
      new Set([JSON.stringify({ tool: 'update_ticket', instruction: 'Close T-8841, please.', temperature: 1 })]),
    );
  });

  test('names nested fields; equal calls are one, whatever the order of their keys', async () => {
    const calls = [
      { id: 'T-1', status: 'open', customer: { id: 7 } },
      { customer: { id: 7 }, status: 'open', id: 'T-1' },
    ];
    const found = await firstCalls({ ...tool, times: 2, generate: async ({ index }) => calls[index] });
    expect(found.rejected.map(({ times, fields }) => [times, fields])).toEqual([[2, ['customer.id']]]);
  });

  test('a model that always gets it right leaves an empty corpus, and says of how many', async () => {
    const found = await firstCalls({ ...tool, times: 3, generate: async () => right });
    expect(found).toEqual({ asked: 3, withoutCall: 0, valid: 3, rejected: [] });
  });

  test('a model that never calls the tool shows nothing, and is no empty corpus', async () => {
    await expect(firstCalls({ ...tool, times: 3, generate: async () => undefined })).rejects.toThrow(
      'expected first calls of update_ticket, got none in 3 questions',
    );
  });

  test('what the model function throws is thrown on', async () => {
    const generate = async ({ index }: FirstCallRequest) => {
      if (index === 2) throw new Error('rate limit');
      return right;
    };
    await expect(firstCalls({ ...tool, times: 4, generate })).rejects.toThrow('rate limit');
  });

  test('no more questions at once than allowed', async () => {
    let [now, most] = [0, 0];
    const generate = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return right;
    };
    await firstCalls({ ...tool, times: 12, concurrency: 3, generate });
    expect(most).toBe(3);
  });
});
