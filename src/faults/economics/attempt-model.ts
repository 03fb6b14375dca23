/** Dollars for a million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Default: as `input`. */
  readonly cachedInput?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

export interface AttemptModel {
  /** Input tokens of the first attempt. */
  readonly firstInput: number;
  /** Tokens of the error that each failed attempt adds to the transcript. */
  readonly errorTokens: number;
  /** Output tokens of each attempt, in order; as many attempts as there are numbers. */
  readonly outputs: readonly number[];
  readonly prices: TokenPrices;
}

/** One attempt: a model round trip, a tool call, a longer transcript and a chance to commit. */
export interface AttemptRow {
  readonly attempt: number;
  readonly input: number;
  readonly cumulativeInput: number;
  readonly output: number;
  readonly cumulativeOutput: number;
  /** Dollars up to and with this attempt. */
  readonly cost: number;
  readonly commitChances: number;
}

/**
 * What attempts cost: each one reads all that went before it, its own failed call and the error it got. Costs grow faster
 * than attempts; no line through the first ones may be drawn on.
 */
export function attemptTable({ firstInput, errorTokens, outputs, prices }: AttemptModel): AttemptRow[] {
  const rows: AttemptRow[] = [];
  let input = firstInput;
  let cumulativeInput = 0;
  let cumulativeOutput = 0;
  for (const [at, output] of outputs.entries()) {
    cumulativeInput += input;
    cumulativeOutput += output;
    const cost = (cumulativeInput * prices.input + cumulativeOutput * prices.output) / 1e6;
    rows.push({ attempt: at + 1, input, cumulativeInput, output, cumulativeOutput, cost, commitChances: at + 1 });
    input += output + errorTokens;
  }
  return rows;
}

/** Dollars of one run from what its spans tell; cached input is a part of input, and cheaper. */
export function runCost(
  usage: { readonly input: number; readonly output: number; readonly cachedInput?: number | null },
  prices: TokenPrices,
): number {
  const cached = usage.cachedInput ?? 0;
  return (
    ((usage.input - cached) * prices.input +
      cached * (prices.cachedInput ?? prices.input) +
      usage.output * prices.output) /
    1e6
  );
}

/** Dollars a month that the longer way costs. */
export function monthlyDifference(
  { runs, failingShare }: { readonly runs: number; readonly failingShare: number },
  { before, after }: { readonly before: number; readonly after: number },
): number {
  return runs * failingShare * (after - before);
}

export interface PlanEstimate {
  readonly tokens: number;
  readonly waves: number;
  /** An upper bound: the slowest run of each wave. Concurrency changes it, and no tokens. */
  readonly seconds: number;
}

/** What so many repetitions of a failing run take: from the version under test, since versions differ fivefold. */
export function planEstimate(plan: {
  readonly runs: number;
  readonly tokensPerFailingRun: number;
  readonly concurrency: number;
  readonly secondsPerRun: number;
}): PlanEstimate {
  const waves = Math.ceil(plan.runs / plan.concurrency);
  return { tokens: plan.runs * plan.tokensPerFailingRun, waves, seconds: waves * plan.secondsPerRun };
}
