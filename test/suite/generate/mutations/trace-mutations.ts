import { agentMutations } from './agent-mutations.ts';
import { leakMutations } from './leak-mutations.ts';
import { modelMutations } from './model-mutations.ts';
import { structureMutations } from './structure-mutations.ts';
import { toolMutations } from './tool-mutations.ts';
import type { TraceMutation } from './trace-mutation.ts';

/** Ways in which a run can go wrong: each changes a fact that a reviewer of the trace would object to. */
export const traceMutations: Readonly<Record<string, TraceMutation>> = {
  ...toolMutations,
  ...modelMutations,
  ...structureMutations,
  ...agentMutations,
  ...leakMutations,
};
