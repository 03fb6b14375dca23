import { AssertionError } from 'node:assert';
import type { AssertionDocument } from '../suite/suite-document.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { SpanQuery } from '../trace/span-query.ts';
import type { CountExpectation } from '../verdict/count.ts';
import type { ClaimPair } from './claim.ts';
import {
  type BudgetBounds,
  type CalledToolOptions,
  type ContentOutOptions,
  calledTool,
  hasSpans,
  hasSteps,
  joined,
  keepsContentOut,
  type StepMatch,
  type StepsOptions,
  satisfies,
  staysWithin,
  succeededTool,
  type ToolSucceededOptions,
} from './claims.ts';
import { judgeClaim } from './judge-claim.ts';
import { nameIn } from './matchers.ts';
import { isRecordedRun, type RecordedRun } from './recorded-run.ts';

/** Statements about a run. Each throws an `AssertionError` with `actual`, `expected` and `operator` when it does not hold. */
export interface TraceStatements {
  /** The run is one joined trace. */
  joined(run: RecordedRun, parameters?: object): void;
  /** The tool was called, at least once unless a number is given. */
  calledTool(run: RecordedRun, tool: string, options?: CalledToolOptions): void;
  /** Attempts of the tool (of all tools without a name) succeeded. */
  toolSucceeded(run: RecordedRun, tool?: string, options?: ToolSucceededOptions): void;
  /** At least one span matches, or as many as said. */
  spans(run: RecordedRun, query: SpanQuery, count?: CountExpectation): void;
  /** Tools were called in an order. */
  steps(
    run: RecordedRun,
    steps: readonly StepMatch[] | readonly (readonly [StepMatch, StepMatch])[],
    options: StepsOptions,
  ): void;
  /** The run stays within bounds, each with its source. */
  within(run: RecordedRun, bounds: BudgetBounds): void;
  /** The spans hold no content (metadata mode), and none of the texts given. */
  contentKeptOut(run: RecordedRun, options?: ContentOutOptions): void;
  /** Any assertion as a suite names it. */
  satisfies(run: RecordedRun, assertion: AssertionDocument): void;
}

function statements(sign: keyof ClaimPair): TraceStatements {
  const state = (operator: string, run: RecordedRun, pair: ClaimPair, tool?: string): void => {
    const name = `assertTrace.${sign === 'opposite' ? 'not.' : ''}${operator}`;
    if (!isRecordedRun(run)) {
      throw new OtelEvalError(
        'OTEL_EVAL_USAGE',
        `${name} expects what record() or collectTrace() returned, got ${kindOf(run)}`,
      );
    }
    const judgement = judgeClaim(run, pair[sign], {
      subject: tool === undefined ? name : `${name}(${nameIn([tool])})`,
      columns: 100,
      colour: false,
    });
    if (judgement.holds) return;
    const { text: message, observed: actual, expected } = judgement;
    throw new AssertionError({ message, actual, expected, operator: name, stackStartFn: state });
  };
  return {
    joined: (run, parameters) => state('joined', run, joined(parameters)),
    calledTool: (run, tool, options) => state('calledTool', run, calledTool(tool, options), tool),
    toolSucceeded: (run, tool, options) => state('toolSucceeded', run, succeededTool(tool, options), tool),
    spans: (run, query, count) => state('spans', run, hasSpans(query, count)),
    steps: (run, steps, options) => state('steps', run, hasSteps(steps, options)),
    within: (run, bounds) => state('within', run, staysWithin(bounds)),
    contentKeptOut: (run, options) => state('contentKeptOut', run, keepsContentOut(options)),
    satisfies: (run, assertion) => state('satisfies', run, satisfies(assertion)),
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Promise) return 'a promise; await it first';
  return Array.isArray(value) ? 'an array' : typeof value;
}

/**
 * Statements about a run for node:test, mocha, ava and bare scripts; `not` states the opposite fact, and what the trace
 * does not decide fails under both signs.
 *
 * @example
 * assertTrace.calledTool(run, 'issue_refund', { exactly: 1 });
 * assertTrace.not.calledTool(run, 'escalate');
 */
export const assertTrace: TraceStatements & { readonly not: TraceStatements } = {
  ...statements('claim'),
  not: statements('opposite'),
};
