import { displayName } from '../trace/display-name.ts';
import type { ClaimPair } from './claim.ts';
import {
  calledTool,
  hasSpans,
  hasSteps,
  joined,
  keepsContentOut,
  satisfies,
  staysWithin,
  succeededTool,
} from './claims.ts';
import { judgeClaim } from './judge-claim.ts';
import type { TraceMatchers } from './matcher-signatures.ts';
import { isRecordedRun } from './recorded-run.ts';

/** What vitest and jest share of the `this` of a matcher. */
export interface MatcherState {
  readonly isNot?: boolean | undefined;
}

export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

export type Matcher = (this: MatcherState, received: unknown, ...args: unknown[]) => MatcherResult;

function matcher<Args extends unknown[]>(name: string, pairOf: (...args: Args) => ClaimPair): Matcher {
  return function (this: MatcherState, received: unknown, ...args: unknown[]): MatcherResult {
    // Vitest leaves it undefined without `.not`.
    const isNot = this.isNot === true;
    const subject = `expect(run)${isNot ? '.not' : ''}.${name}(${nameIn(args)})`;
    if (!isRecordedRun(received)) {
      const got = received instanceof Promise ? 'a promise; await it first' : typeof received;
      const message = () => `${subject} expects what record() or collectTrace() returned, got ${got}`;
      // Red under both signs: nothing was looked at.
      return { pass: isNot, message };
    }
    const pair = pairOf(...(args as Args));
    const colour = process.env['NO_COLOR'] === undefined && process.stdout.isTTY === true;
    const columns = Math.max(60, process.stdout.columns ?? 100);
    const judgement = judgeClaim(received, isNot ? pair.opposite : pair.claim, { subject, columns, colour });
    // Runners turn `pass` over under `.not`; what is asked there is the opposite fact, which has its own verdict.
    return { pass: judgement.holds !== isNot, message: () => judgement.text };
  };
}

/** The tool that is asked about. */
export function nameIn([first]: readonly unknown[]): string {
  return typeof first === 'string' ? JSON.stringify(displayName(first)) : '';
}

const satisfiesAssertion = matcher('toSatisfy', satisfies);

/** Vitest has a matcher of this name that takes a predicate; it goes on doing so. */
function satisfiesEither(this: MatcherState, received: unknown, ...args: unknown[]): MatcherResult {
  const [wanted, message] = args;
  if (typeof wanted !== 'function') return satisfiesAssertion.call(this, received, ...args);
  const told = typeof message === 'string' ? message : 'expected the value to satisfy the predicate';
  return { pass: Boolean(wanted(received)), message: () => told };
}

/** The matchers of `otel-eval/vitest` and `otel-eval/jest`: the assertions of suites under names of a test runner. */
export const matchers: { [Name in keyof TraceMatchers<void>]: Matcher } = {
  toBeJoined: matcher('toBeJoined', joined),
  toHaveCalledTool: matcher('toHaveCalledTool', calledTool),
  toHaveToolSucceeded: matcher('toHaveToolSucceeded', succeededTool),
  toHaveSpan: matcher('toHaveSpan', (query: Parameters<typeof hasSpans>[0]) => hasSpans(query)),
  toHaveSpans: matcher('toHaveSpans', hasSpans),
  toHaveSteps: matcher('toHaveSteps', hasSteps),
  toStayWithin: matcher('toStayWithin', staysWithin),
  toKeepContentOut: matcher('toKeepContentOut', keepsContentOut),
  toSatisfy: satisfiesEither,
};
