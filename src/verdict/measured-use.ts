import type { Usage } from '../agent/run.ts';
import type { View } from './assertion.ts';
import { isHeap } from './boundary.ts';
import type { BudgetUse } from './budget-use.ts';
import type { CountVerdict } from './count.ts';
import { spansOf } from './run-spans.ts';
import { byTrace } from './tallies.ts';

export type TokenKind = 'input' | 'output' | 'total';

/** Tokens of a run. What is known of a part of its model calls is a lower bound. */
export function tokensUse(view: View, max: number, kind: TokenKind): BudgetUse {
  const { usage } = view.run;
  const used = tokensOf(usage, kind);
  const told = usage.coverage === 'all' && (kind !== 'total' || (usage.input !== null && usage.output !== null));
  const verdict = tokensVerdict(used, max, told);
  return {
    what: kind === 'total' ? 'tokens' : `${kind} tokens`,
    verdict: isHeap(view.run) ? heapVerdict(view, { verdict, max, kind }) : verdict,
    used: used ?? 0,
    spans: [],
    facts: ['modelCalls', 'failedModelCalls'],
    open: 'token usage is not known of every model call; gen_ai.usage.* on every model span would tell',
  };
}

/** Over a heap the sum is nobody's: one trace alone over the bound is over it however they are grouped. */
function heapVerdict(
  { run }: View,
  { verdict, max, kind }: { readonly verdict: CountVerdict; readonly max: number; readonly kind: TokenKind },
): CountVerdict {
  const perTrace = byTrace(run, run.modelCalls).perTrace.map((calls) =>
    calls.reduce((sum, call) => sum + (call.usage === null ? 0 : (tokensOf(call.usage, kind) ?? 0)), 0),
  );
  if (perTrace.some((tokens) => tokens > max)) return 'too-many';
  return verdict === 'too-many' ? 'grouping' : verdict;
}

function tokensOf({ input, output }: Pick<Usage, 'input' | 'output'>, kind: TokenKind): number | null {
  if (kind === 'input') return input;
  if (kind === 'output') return output;
  return input === null || output === null ? (input ?? output) : input + output;
}

function tokensVerdict(used: number | null, max: number, told: boolean): CountVerdict {
  if (used !== null && used > max) return 'too-many';
  return used !== null && told ? 'met' : 'open';
}

/** From the first start to the last end, in milliseconds, rounded up. With a span that is not ended it is a lower bound. */
export function durationUse(view: View, maxMs: number): BudgetUse {
  const perTrace = view.run.traces.map(({ spans }) => elapsedMs(spans));
  const used = elapsedMs(spansOf(view.run));
  const open = view.run.traces.some((trace) => trace.open.length + trace.unfinished.length > 0);
  const over = isHeap(view.run) ? perTrace.some((elapsed) => elapsed > maxMs) : used > maxMs;
  const within = open ? 'open' : 'met';
  return {
    what: 'milliseconds',
    verdict: over ? 'too-many' : used > maxMs ? 'grouping' : within,
    used,
    spans: [],
    facts: [],
    open: 'a span is not ended, so the duration of the run is not known; end every span, also when a call throws',
  };
}

const nanosPerMs = 1_000_000n;

function elapsedMs(
  spans: readonly { readonly startUnixNano: bigint; readonly endUnixNano: bigint | undefined }[],
): number {
  let first: bigint | undefined;
  let last: bigint | undefined;
  for (const { startUnixNano, endUnixNano = startUnixNano } of spans) {
    if (first === undefined || startUnixNano < first) first = startUnixNano;
    if (last === undefined || endUnixNano > last) last = endUnixNano;
  }
  const elapsed = (last ?? 0n) - (first ?? 0n);
  return Number((elapsed + nanosPerMs - 1n) / nanosPerMs);
}
