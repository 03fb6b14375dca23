import { z } from 'zod';
import type { Run, ToolCall } from '../agent/run.ts';
import type { Answer } from './argument-match.ts';
import type { View } from './assertion.ts';
import { CallFrontier } from './call-frontier.ts';
import { maximumPairing } from './pairing.ts';
import { didRun, matchCall, type ToolMatch, toolMatch } from './tool-match.ts';

export interface CallPair {
  readonly before: ToolMatch;
  readonly after: ToolMatch;
}

/** An order of tool calls, in one of four modes. */
export interface CallOrder {
  readonly mode: 'exact' | 'inOrder' | 'anyOrder' | 'partial';
  readonly calls?: readonly ToolMatch[] | undefined;
  readonly pairs?: readonly CallPair[] | undefined;
  readonly others?: 'allowed' | 'forbidden' | undefined;
}

const modes = z.enum(['exact', 'inOrder', 'anyOrder', 'partial']);

/** The `order` of `ToolCalled`, and the parameters of `ToolOrder`. */
export const callOrder: z.ZodType<CallOrder> = z
  .strictObject({
    mode: modes.describe(
      '`exact`: these calls, no others, one after the other. `inOrder`: the same with others between them. `anyOrder`: these calls in any order. `partial`: only the pairs that are named; parallel calls are legal.',
    ),
    calls: z.array(toolMatch).min(1).optional().describe('The calls, in their order. Not for `partial`.'),
    pairs: z
      .array(z.strictObject({ before: toolMatch, after: toolMatch }))
      .min(1)
      .optional()
      .describe('For `partial`: every call that matches `after` starts when one that matches `before` has ended.'),
    others: z
      .enum(['allowed', 'forbidden'])
      .optional()
      .describe('Whether the run may hold further tool calls; by default only `inOrder` and `partial` allow them.'),
  })
  .superRefine(({ mode, calls, pairs, others }, context) => {
    const complain = (message: string) => context.addIssue({ code: 'custom', message });
    if (mode === 'partial' && (pairs === undefined || calls !== undefined))
      complain('expected pairs, and no calls, with the mode partial');
    if (mode !== 'partial' && (calls === undefined || pairs !== undefined))
      complain(`expected calls, and no pairs, with the mode ${mode}`);
    if (mode === 'exact' && others === 'allowed')
      complain('expected no others with the mode exact; inOrder allows them');
    if (mode === 'partial' && others === 'forbidden') complain('expected no bound on others with the mode partial');
  })
  .meta({ id: 'CallOrder', description: 'An order of tool calls.' });

/** What stands in the way of an order. `open`: the trace does not tell. */
export interface OrderReading {
  /** Places (from 0) in `calls` for which no call is left. */
  readonly missing: readonly number[];
  /** Calls beyond those in `calls`, where they are forbidden. */
  readonly further: readonly ToolCall[];
  /** All are there, but not in this order; `false` where that is not asked. */
  readonly disordered: Answer;
  /** For `partial`: pairs of which a later call has no earlier one. */
  readonly unpreceded: readonly { readonly pair: CallPair; readonly call: ToolCall }[];
  readonly open: boolean;
  /** Nothing was ordered: no call matches the `after` of a pair. */
  readonly empty: boolean;
}

const met: OrderReading = { missing: [], further: [], disordered: 'no', unpreceded: [], open: false, empty: false };

/** Reads how the tool calls of a run stand to an order. Calls that did not run are left out. */
export function readOrder(view: View, order: CallOrder): OrderReading {
  return order.mode === 'partial' ? readPairs(view, order.pairs ?? []) : readSequence(view, order);
}

function readSequence(view: View, order: CallOrder): OrderReading {
  const wanted = order.calls ?? [];
  const calls = view.run.toolCalls.filter((call) => didRun(call) !== 'no');
  const unsure = calls.some((call) => didRun(call) === 'unknown');
  const answers = wanted.map((match) => calls.map((call) => matchCall(call, match, view.digest).answer));
  const read = (lenient: boolean) => {
    const fits = (place: number, index: number): boolean => {
      const answer = answers[place]?.[index];
      return answer === 'yes' || (lenient && answer === 'unknown');
    };
    return sequenceReading(view.run, { calls, wanted: wanted.length, fits, order });
  };
  const strict = read(false);
  const lenient = read(true);
  const agree = sameVerdict(strict, lenient);
  return { ...strict, open: unsure || !agree || strict.disordered === 'unknown' };
}

function sameVerdict(a: OrderReading, b: OrderReading): boolean {
  return (
    a.missing.length === b.missing.length && a.further.length === b.further.length && a.disordered === b.disordered
  );
}

interface Sequence {
  readonly calls: readonly ToolCall[];
  readonly wanted: number;
  readonly fits: (place: number, index: number) => boolean;
  readonly order: CallOrder;
}

function sequenceReading(run: Run, sequence: Sequence): OrderReading {
  const { calls, wanted, fits, order } = sequence;
  const paired = maximumPairing(wanted, calls.length, fits);
  const missing = paired.flatMap((index, place) => (index === undefined ? [place] : []));
  const used = new Set(paired);
  const forbidden = order.others === 'forbidden' || (order.others === undefined && order.mode !== 'inOrder');
  const further = forbidden ? calls.filter((_, index) => !used.has(index)) : [];
  const ordered = missing.length > 0 || order.mode === 'anyOrder' ? 'yes' : inSequence(run, sequence);
  return { ...met, missing, further, disordered: ordered === 'yes' ? 'no' : ordered === 'no' ? 'yes' : 'unknown' };
}

/** Whether a chain of calls, each ended when the next one starts, fits the places one by one. */
function inSequence(run: Run, { calls, wanted, fits }: Sequence): Answer {
  // For each place, the calls that can stand there after a chain that fits the places before.
  let ends: readonly Answer[] = calls.map((_, index) => (fits(0, index) ? 'yes' : 'no'));
  for (let place = 1; place < wanted; place += 1) {
    const frontier = new CallFrontier(run);
    const before = ends;
    ends = calls.map((call, index) => {
      const answer = fits(place, index) ? frontier.linkTo(call) : 'no';
      const end = before[index] ?? 'no';
      if (end !== 'no') frontier.add(call, end);
      return answer;
    });
  }
  return ends.includes('yes') ? 'yes' : ends.includes('unknown') ? 'unknown' : 'no';
}

function readPairs(view: View, pairs: readonly CallPair[]): OrderReading {
  const readings = pairs.map((pair) => readPair(view, pair));
  return {
    ...met,
    unpreceded: readings.flatMap(({ unpreceded }) => unpreceded),
    open: readings.some(({ open }) => open),
    empty: readings.some(({ empty }) => empty),
  };
}

function readPair(view: View, pair: CallPair): Pick<OrderReading, 'unpreceded' | 'open' | 'empty'> {
  const calls = view.run.toolCalls;
  const answers = (match: ToolMatch) =>
    calls.map((call) => both(matchCall(call, match, view.digest).answer, didRun(call)));
  const before = answers(pair.before);
  const after = answers(pair.after);
  const frontier = new CallFrontier(view.run);
  const preceded = calls.map((call, index) => {
    const answer = after[index] === 'no' ? 'yes' : frontier.linkTo(call);
    const earlier = before[index] ?? 'no';
    if (earlier !== 'no') frontier.add(call, earlier);
    return answer;
  });
  const unpreceded = calls.filter((_, index) => after[index] === 'yes' && preceded[index] === 'no');
  const open = calls.some(
    (_, index) => preceded[index] === 'unknown' || (after[index] === 'unknown' && preceded[index] === 'no'),
  );
  return {
    unpreceded: unpreceded.map((call) => ({ pair, call })),
    open,
    empty: after.every((answer) => answer === 'no'),
  };
}

function both(a: Answer, b: Answer): Answer {
  if (a === 'no' || b === 'no') return 'no';
  return a === 'yes' && b === 'yes' ? 'yes' : 'unknown';
}
