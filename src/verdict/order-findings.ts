import type { FindingSentence, View } from './assertion.ts';
import { isHeap, runsNotToldApart } from './boundary.ts';
import { type CallOrder, type OrderReading, readOrder } from './call-order.ts';
import { findingMaker } from './finding.ts';
import { undecidedAbsence } from './sight.ts';
import { factsBehind, matchText, uncomparable } from './tool-match.ts';
import type { Finding, MissingEvidence } from './verdict.ts';
import { counted, listed, quoted } from './wording.ts';

/** An alias, since an interface has no index signature and so is no table. */
export type OrderSentences = {
  readonly 'call-missing': FindingSentence<{ tool: string; place: number; of: number }>;
  readonly 'further-calls': FindingSentence<{ calls: number; names: readonly string[] }>;
  readonly 'out-of-order': FindingSentence<{ mode: string; wanted: readonly string[]; called: readonly string[] }>;
  readonly 'not-preceded': FindingSentence<{ before: string; after: string; calls: number }>;
};

/** The sentences about an order, shared by the assertions that ask for one. */
export const orderSentences: OrderSentences = {
  'call-missing': {
    expected: ({ tool, place, of }) => `a call of ${tool}, number ${place} of ${of}`,
    observed: () => 'no call is left that is one',
  },
  'further-calls': {
    expected: () => 'no tool calls beyond those named',
    observed: ({ calls, names }) => `${counted(calls, 'further call')}: ${listed(names)}`,
  },
  'out-of-order': {
    expected: ({ wanted }) => `one after the other: ${wanted.join(', then ')}`,
    observed: ({ called }) => `all are there, but not each ended before the next began: ${listed(called, 10)}`,
  },
  'not-preceded': {
    expected: ({ before, after }) => `every call of ${after} starts when a call of ${before} has ended`,
    observed: ({ calls }) => `${counted(calls, 'call')} had none before`,
  },
};

export interface OrderConclusion {
  readonly findings: readonly Finding[];
  readonly missing: readonly MissingEvidence[];
}

/** Judges an order for the assertion `assertionId`, whose table of findings holds `orderSentences`. */
export function judgeOrder(assertionId: string, view: View, order: CallOrder): OrderConclusion {
  const reading = readOrder(view, order);
  if (isHeap(view.run)) return { findings: [], missing: [runsNotToldApart(view.run)] };
  // Further calls stay further calls, whatever else comes; all else needs the whole.
  const further = reading.open ? [] : furtherFindings(assertionId, reading);
  const missing = [...undecidedAbsence(view, factsOf(order)), ...whyUndecided(reading, order)];
  if (missing.length > 0) return { findings: further, missing };
  return { findings: [...further, ...findingsOf(assertionId, view, { reading, order })], missing };
}

function factsOf(order: CallOrder): ReturnType<typeof factsBehind> {
  const matches = [...(order.calls ?? []), ...(order.pairs ?? []).flatMap(({ before, after }) => [before, after])];
  return [...new Set(matches.flatMap(factsBehind))];
}

function whyUndecided({ open, empty }: OrderReading, order: CallOrder): readonly MissingEvidence[] {
  if (open) {
    const asking = [...(order.calls ?? []), ...(order.pairs ?? []).flatMap(({ before, after }) => [before, after])];
    const selective = asking.find((match) => match.arguments ?? match.argumentsExactly ?? match.argumentsSchema) ?? {};
    const message = `the trace does not tell the order, or which calls ran: ${uncomparable(selective)}`;
    return [{ kind: 'visibility', message }];
  }
  if (!empty) return [];
  return [{ kind: 'nothing-examined', message: 'no call matches the after of a pair, so no order is shown' }];
}

function furtherFindings(assertionId: string, { further }: OrderReading): readonly Finding[] {
  if (further.length === 0) return [];
  const names = [...new Set(further.map(({ name }) => nameOfCall(name)))];
  return [
    findingMaker(assertionId, orderSentences)('further-calls', {
      arguments: { calls: further.length, names },
      spans: further.flatMap(({ spans }) => spans.slice(0, 1)),
    }),
  ];
}

interface ReadOrder {
  readonly reading: OrderReading;
  readonly order: CallOrder;
}

function findingsOf(assertionId: string, view: View, { reading, order }: ReadOrder): readonly Finding[] {
  const finding = findingMaker(assertionId, orderSentences);
  const wanted = order.calls ?? [];
  const calls = view.run.toolCalls;
  const missing = reading.missing.map((place) =>
    finding('call-missing', {
      arguments: { tool: matchText(wanted[place] ?? {}), place: place + 1, of: wanted.length },
      spans: [],
    }),
  );
  const disordered = finding('out-of-order', {
    arguments: { mode: order.mode, wanted: wanted.map(matchText), called: calls.map(({ name }) => nameOfCall(name)) },
    spans: calls.flatMap(({ spans }) => spans.slice(0, 1)),
  });
  const unpreceded = (order.pairs ?? []).flatMap((pair) => {
    const guilty = reading.unpreceded.filter((found) => found.pair === pair);
    if (guilty.length === 0) return [];
    const args = { before: matchText(pair.before), after: matchText(pair.after), calls: guilty.length };
    const spans = guilty.flatMap(({ call }) => call.spans.slice(0, 1));
    return [finding('not-preceded', { arguments: args, spans })];
  });
  return [...missing, ...(reading.disordered === 'yes' ? [disordered] : []), ...unpreceded];
}

function nameOfCall(name: string | null): string {
  return name === null ? 'a tool without a name' : quoted(name);
}
