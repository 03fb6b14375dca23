import type { AssertionDocument } from '../suite/suite-document.ts';
import type { SpanQuery } from '../trace/span-query.ts';
import type { CountExpectation } from '../verdict/count.ts';
import type {
  BudgetBounds,
  CalledToolOptions,
  ContentOutOptions,
  StepMatch,
  StepsOptions,
  ToolSucceededOptions,
} from './claims.ts';

/** The matchers as a test sees them. What the trace does not decide fails with and without `.not`. */
export interface TraceMatchers<Result> {
  /** The run is one joined trace: one root, no orphan, conflict or cycle. `.not`: it is known not to be. */
  toBeJoined(parameters?: object): Result;
  /** At least once unless a number is given. `.not`: that is known not to be so; without a number, never called. */
  toHaveCalledTool(tool: string, options?: CalledToolOptions): Result;
  /** Every attempt succeeded, unless `attempts` says otherwise. `.not`: it was called and no attempt succeeded. */
  toHaveToolSucceeded(tool?: string, options?: ToolSucceededOptions): Result;
  /** Some span matches. `.not`: none does, on a whole trace. */
  toHaveSpan(query: SpanQuery): Result;
  /** So many spans match. */
  toHaveSpans(query: SpanQuery, count: CountExpectation): Result;
  /** Tools were called in this order. */
  toHaveSteps(
    steps: readonly StepMatch[] | readonly (readonly [StepMatch, StepMatch])[],
    options: StepsOptions,
  ): Result;
  /** Every bound holds; each names its source. */
  toStayWithin(bounds: BudgetBounds): Result;
  /**
   * The spans hold no content (metadata mode), no credential, and none of the texts given. `.not`: they are known to hold
   * some. What the helpers of `otel-eval/instrument` keep beside a span for tests does not count: it is not on the span.
   */
  toKeepContentOut(options?: ContentOutOptions): Result;
  /** Any assertion as a suite names it. */
  toSatisfy(assertion: AssertionDocument): Result;
}
