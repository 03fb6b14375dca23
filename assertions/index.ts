import type { Assertion } from '../src/verdict/assertion.ts';
import { executionTraceJoined } from './execution-trace-joined.ts';
import { spansMatch } from './spans-match.ts';
import { toolCalled } from './tool-called.ts';
import { toolSucceeded } from './tool-succeeded.ts';
import { withinBudget } from './within-budget.ts';

/** Every assertion, in the order in which docs list them. To add one: a file, a line here, a fixture folder. */
export const assertions: readonly Assertion[] = [
  executionTraceJoined,
  toolCalled,
  toolSucceeded,
  spansMatch,
  withinBudget,
];
