import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { assertions } from '../../assertions/index.ts';
import { spansMatch } from '../../assertions/spans-match.ts';
import { toolCalled } from '../../assertions/tool-called.ts';
import { toolOrder } from '../../assertions/tool-order.ts';
import { toolSucceeded } from '../../assertions/tool-succeeded.ts';
import { type TracePrivacyModesParameters, tracePrivacyModes } from '../../assertions/trace-privacy-modes.ts';
import { type WithinBudgetParameters, withinBudget } from '../../assertions/within-budget.ts';
import type { Json } from '../agent/run.ts';
import { carriedAssertion } from '../suite/assertion-registry.ts';
import { nearestName } from '../suite/nearest-name.ts';
import type { AssertionDocument } from '../suite/suite-document.ts';
import type { AsymmetricMatcher } from '../trace/asymmetric-matcher.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { SpanQuery } from '../trace/span-query.ts';
import type { Assertion } from '../verdict/assertion.ts';
import { type CountExpectation, complementOf } from '../verdict/count.ts';
import type { ToolMatch } from '../verdict/tool-match.ts';
import type { Claim, ClaimPair } from './claim.ts';

/** An argument; a matcher of the runner may stand in its place, at any depth. */
export type WantedArgument =
  | Json
  | AsymmetricMatcher
  | readonly WantedArgument[]
  | { readonly [name: string]: WantedArgument };

/** Which calls of a tool are meant. */
export interface CallMatch extends Omit<ToolMatch, 'tool' | 'arguments' | 'argumentsExactly'> {
  /** The arguments hold at least these. */
  readonly arguments?: { readonly [name: string]: WantedArgument };
  /** The arguments are these and no others. */
  readonly argumentsExactly?: { readonly [name: string]: WantedArgument };
}

/** Which calls of the tool are meant, and how many; at least one without a number. */
export interface CalledToolOptions extends CallMatch, CountExpectation {}

/** Which calls of the tool are meant, and which of them must have succeeded. */
export interface ToolSucceededOptions extends CallMatch {
  readonly attempts?: 'every' | 'last' | { readonly atLeast: number };
  /** `status` accepts a call that ended without a mark of failure though its result was not seen. Default `result`. */
  readonly evidence?: 'result' | 'status';
}

/** Bounds as a suite writes them. */
export type BudgetBounds = {
  readonly [Name in keyof WithinBudgetParameters]?: { readonly max: number; readonly source: string } & Partial<
    WithinBudgetParameters[Name]
  >;
};

/** What was promised to stay out, beyond content in general. */
export type ContentOutOptions = Partial<
  Pick<TracePrivacyModesParameters, 'allow' | 'canaries' | 'secrets' | 'forbid' | 'skeleton' | 'access'>
>;

/** A tool by its name, or by more than that. */
export type StepMatch = string | (CallMatch & Pick<ToolMatch, 'tool'>);

/** `partial` takes pairs: each second one starts after a first one has ended. */
export type StepsOptions = { readonly order: 'exact' | 'inOrder' | 'anyOrder' } | { readonly order: 'partial' };

const orders = ['exact', 'inOrder', 'anyOrder', 'partial'];

function usage(message: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_USAGE', message);
}

function kindOf(value: unknown): string {
  return value === '' ? 'an empty text' : value === undefined ? 'nothing' : typeof value;
}

/** The run is one joined trace; the opposite: it is known not to be. */
export function joined(parameters: object = {}): ClaimPair {
  return both(executionTraceJoined, parameters);
}

/** The tool was called; the opposite without a number: never, on a trace that is whole and shows its calls. */
export function calledTool(tool: string, options: CalledToolOptions = {}): ClaimPair {
  // Any tool would do otherwise, where a test wants one of which it does not know the name.
  if (typeof tool !== 'string' || tool === '') throw usage(`expected the name of a tool, got ${kindOf(tool)}`);
  const unsaid = (['atLeast', 'atMost', 'exactly', 'none'] as const).find(
    (key) => Object.hasOwn(options, key) && options[key] === undefined,
  );
  // A number that got lost on its way would become "at least once", and pass.
  if (unsaid !== undefined)
    throw usage(`expected a number for ${unsaid}, got undefined; leave it out for at least once`);
  const { atLeast, atMost, exactly, none, ...rest } = options;
  const count = given({ atLeast, atMost, exactly, none });
  const claim = (expect: CountExpectation) => ({ match: { tool, ...rest }, expect });
  return counting(toolCalled, Object.keys(count).length === 0 ? { atLeast: 1 } : count, claim);
}

/** Its attempts succeeded; the opposite: it was called, and no attempt succeeded. */
export function succeededTool(tool: string | undefined, options: ToolSucceededOptions = {}): ClaimPair {
  const { attempts, evidence, ...rest } = options;
  const match = { ...(tool === undefined ? {} : { tool }), ...rest };
  const ground = evidence === undefined ? {} : { evidence };
  return {
    claim: {
      assertion: toolSucceeded as Assertion,
      parameters: { match, ...ground, ...(attempts === undefined ? {} : { expect: { attempts } }) },
      holdsWhen: 'passed',
    },
    opposite: {
      assertion: toolSucceeded as Assertion,
      parameters: { match, ...ground, expect: { attempts: { atLeast: 1 } } },
      holdsWhen: 'failed',
    },
  };
}

/** So many spans match; the opposite without a number: none does, on a whole trace. */
export function hasSpans(query: SpanQuery, count: CountExpectation = { atLeast: 1 }): ClaimPair {
  // None is an answer here, not a lack of evidence: the completeness of the trace decides.
  const allowEmpty = 'the count is what is asked';
  return counting(spansMatch, count, ({ none, ...expect }) => ({
    match: query,
    expect: none === true ? { ...expect, exactly: 0 } : expect,
    allowEmpty,
  }));
}

/** Tools were called in this order; the opposite: they are known not to have been. */
export function hasSteps(
  steps: readonly StepMatch[] | readonly (readonly [StepMatch, StepMatch])[],
  options: StepsOptions,
): ClaimPair {
  const { order } = options ?? {};
  if (order === undefined || !orders.includes(order)) {
    throw usage('expected how strict the order is, as { order: "inOrder" }: exact, inOrder, anyOrder or partial');
  }
  const match = (step: StepMatch) => (typeof step === 'string' ? { tool: step } : step);
  if (order !== 'partial') return both(toolOrder, { mode: order, calls: (steps as readonly StepMatch[]).map(match) });
  const pairs = (steps as readonly (readonly [StepMatch, StepMatch])[]).map(([before, after]) => ({
    before: match(before),
    after: match(after),
  }));
  return both(toolOrder, { mode: 'partial', pairs });
}

/** The run stays within bounds; the opposite: one is known to be passed. */
export function staysWithin(bounds: BudgetBounds): ClaimPair {
  return both(withinBudget, bounds);
}

/** The spans hold no content, credential, canary or secret (metadata mode); the opposite: one is known to hold some. */
export function keepsContentOut(options: ContentOutOptions = {}): ClaimPair {
  const { claim, opposite } = both(tracePrivacyModes, { ...options, mode: 'metadata' });
  return { claim: { ...claim, onSpansOnly: true }, opposite: { ...opposite, onSpansOnly: true } };
}

/** Any assertion as a suite names it: `toolCalled({ … })` or `{ ToolCalled: { … } }`. */
export function satisfies(document: AssertionDocument): ClaimPair {
  const [[name, parameters] = ['', {}], ...more] =
    typeof document === 'string' ? [[document, {}] as const] : Object.entries(document);
  const carried = typeof document === 'string' ? undefined : carriedAssertion(document);
  const assertion = carried ?? assertions.find(({ id }) => id === name);
  if (assertion !== undefined && more.length === 0) return both(assertion, parameters);
  const nearest = nearestName(
    name,
    assertions.map(({ id }) => id),
  );
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected one assertion, as { ToolCalled: { … } }, got "${name}"${hint}`);
}

/** Where another count says the opposite, the assertion itself states it, and points at the spans that break it. */
function counting<Parameters>(
  assertion: Assertion<Parameters>,
  count: CountExpectation,
  parametersOf: (count: CountExpectation) => unknown,
): ClaimPair {
  const pair = both(assertion, parametersOf(count));
  const complement = complementOf(count);
  if (complement === undefined) return pair;
  return { ...pair, opposite: { ...pair.claim, parameters: parametersOf(complement) } };
}

function both<Parameters>(assertion: Assertion<Parameters>, parameters: unknown): ClaimPair {
  const claim: Claim = { assertion: assertion as Assertion, parameters, holdsWhen: 'passed' };
  return { claim, opposite: { ...claim, holdsWhen: 'failed' } };
}

/** Without members that are undefined. */
function given(count: CountExpectation): CountExpectation {
  return Object.fromEntries(Object.entries(count).filter(([, n]) => n !== undefined));
}
