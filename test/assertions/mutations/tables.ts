import { joinedMutations } from './execution-trace-joined.ts';
import type { MutationTable } from './mutation.ts';

/** One table for each assertion. */
export const mutationTables: readonly MutationTable[] = [joinedMutations];
