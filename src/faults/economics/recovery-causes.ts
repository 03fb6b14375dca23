import type { Run, ToolCall } from '../../agent/run.ts';
import { mean } from '../../statistics/mean.ts';
import { startOrder } from '../read/visible-calls.ts';

/** Why runs of one version took longer than those of another to recover. */
export type RecoveryCause = 'extra_read_before_correcting' | 'terminal_failure_repeated' | 'longer_preamble';

/** A cause with what tells of it: calls, or output tokens, of a failing run in the mean. */
export interface FoundCause {
  readonly cause: RecoveryCause;
  readonly before: number;
  readonly after: number;
}

/** How one failing run went on, as far as its trace tells without content. */
export interface RecoveryPath {
  /** Calls of the tool. */
  readonly tries: number;
  /** Calls of other tools between the first failure and the next try. */
  readonly readsBetween: number;
  /** Failed tries with arguments that had failed before; `null` where arguments are not visible. */
  readonly repeatedFailures: number | null;
  /** Tokens that the model wrote; `null` where the trace does not tell. */
  readonly output: number | null;
}

export function recoveryPath(run: Run, tool: string): RecoveryPath {
  const tries = run.toolCalls.filter(({ name }) => name === tool).toSorted(startOrder);
  return {
    tries: tries.length,
    readsBetween: readsBetween(run, tool),
    repeatedFailures: repeatedFailures(tries),
    output: run.usage.output,
  };
}

/**
 * Compares two runs of one task by their traces: numbers say that a version got worse, the trace says why. Content is not
 * compared, only which calls were made and how many tokens the model wrote.
 */
export function recoveryCauses(before: Run, after: Run, tool: string): RecoveryCause[] {
  return causesBetween([recoveryPath(before, tool)], [recoveryPath(after, tool)]).map(({ cause }) => cause);
}

/** The same over many failing runs of each version: by their means, and a quarter more at least. */
export function causesBetween(before: readonly RecoveryPath[], after: readonly RecoveryPath[]): FoundCause[] {
  const written = outputOfEqualTries(before, after);
  const measures: readonly FoundCause[] = [
    {
      cause: 'extra_read_before_correcting',
      ...means(before, after, ({ readsBetween: reads }) => reads),
    },
    {
      cause: 'terminal_failure_repeated',
      ...means(before, after, ({ repeatedFailures: repeated }) => repeated),
    },
    { cause: 'longer_preamble', ...written },
  ];
  return measures.filter((each) => each.after - each.before > leastMore && each.after > more * each.before);
}

const more = 1.25;
/** Of a call in the mean of failing runs; less is chance. */
const leastMore = 0.24;

type Means = Pick<FoundCause, 'before' | 'after'>;

const nothingTold: Means = { before: 0, after: 0 };

function means(
  before: readonly RecoveryPath[],
  after: readonly RecoveryPath[],
  of: (path: RecoveryPath) => number | null,
): Means {
  const told = (paths: readonly RecoveryPath[]): number[] => paths.flatMap((path) => of(path) ?? []);
  const [first, second] = [told(before), told(after)];
  return first.length === 0 || second.length === 0 ? nothingTold : { before: mean(first), after: mean(second) };
}

/** As many attempts, and more tokens written: it costs money, and no attempt. So runs of equal length are compared. */
function outputOfEqualTries(before: readonly RecoveryPath[], after: readonly RecoveryPath[]): Means {
  const told = (paths: readonly RecoveryPath[], tries: number): number[] =>
    paths.filter((path) => path.tries === tries).flatMap(({ output }) => output ?? []);
  const strata = [...new Set(before.map(({ tries }) => tries))].flatMap((tries) => {
    const [first, second] = [told(before, tries), told(after, tries)];
    const weight = Math.min(first.length, second.length);
    return weight === 0 ? [] : [{ weight, before: mean(first), after: mean(second) }];
  });
  const whole = strata.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = (key: 'before' | 'after'): number =>
    strata.reduce((sum, each) => sum + each.weight * each[key], 0) / whole;
  // Where the first ones wrote nothing that is told, nothing is longer.
  if (whole === 0 || weighted('before') === 0) return nothingTold;
  return { before: weighted('before'), after: weighted('after') };
}

function readsBetween(run: Run, tool: string): number {
  const calls = run.toolCalls.toSorted(startOrder);
  const failed = calls.findIndex(({ name, outcome }) => name === tool && outcome === 'failed');
  if (failed < 0) return 0;
  const next = calls.findIndex(({ name }, at) => at > failed && name === tool);
  return (next < 0 ? calls.length : next) - failed - 1;
}

function repeatedFailures(tries: readonly ToolCall[]): number | null {
  if (tries.some(({ operation, outcome }) => outcome === 'failed' && operation === null)) return null;
  const seen = new Set<number>();
  let repeated = 0;
  for (const { operation, outcome } of tries) {
    if (outcome !== 'failed' || operation === null) continue;
    if (seen.has(operation)) repeated += 1;
    seen.add(operation);
  }
  return repeated;
}
