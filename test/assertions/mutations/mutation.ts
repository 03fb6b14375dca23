import type { Assertion } from '../../../src/verdict/assertion.ts';
import type { FindingArguments } from '../../../src/verdict/verdict.ts';
import type { SpanSketch, ViewOptions } from '../../view-builder.ts';
import { orderStory } from '../order-story.ts';

export interface ExpectedFinding {
  /** After the slash. */
  readonly code: string;
  readonly arguments: FindingArguments;
  /** Ids of the sketches. */
  readonly spans: readonly string[];
}

/** One thing changed in a passing story, and the finding that it must give. */
export interface Mutation {
  /** What was changed. */
  readonly what: string;
  readonly parameters: unknown;
  /** Where the change is in evidence that is given by parameters: those that pass. */
  readonly parametersBefore?: unknown;
  /** What passes; the order story where it is left out. */
  readonly before?: readonly SpanSketch[];
  readonly after: readonly SpanSketch[];
  readonly options?: ViewOptions;
  readonly findings: readonly ExpectedFinding[];
}

export interface MutationTable {
  readonly assertion: Assertion;
  readonly mutations: readonly Mutation[];
}

export const passingStory = (mutation: Mutation): readonly SpanSketch[] => mutation.before ?? orderStory();
