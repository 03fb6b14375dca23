import { z } from 'zod';
import { type ProjectionKind, type Projections, projectionsSchema } from './projection/projection-row.ts';

export interface ExecutionTraceJoinedParameters {
  readonly children: 'reachable' | 'direct';
  readonly services?: readonly string[] | undefined;
  readonly traces?: 'one' | 'several' | undefined;
  readonly projections?: Projections | undefined;
  readonly requireProjections?: readonly ProjectionKind[] | undefined;
}

export const joinParameters: z.ZodType<ExecutionTraceJoinedParameters> = z
  .strictObject({
    children: z
      .enum(['reachable', 'direct'])
      .default('reachable')
      .describe('`reachable`: every span hangs below the root. `direct`: every span names the root as its parent.'),
    services: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Values of service.name that must all have spans in the run.'),
    traces: z
      .enum(['one', 'several'])
      .optional()
      .describe(
        'Default: one. `several`: it is known that nothing joins the traces of a run; each of them hangs together by itself.',
      ),
    projections: projectionsSchema
      .optional()
      .describe(
        'Rows of other views of the run, joined with its trace; traces.projections and --projection read them.',
      ),
    requireProjections: z
      .array(z.enum(['live', 'durable', 'ui']))
      .min(1)
      .optional()
      .describe('Projections that must be joined: without one of them nothing is passed.'),
  })
  .describe('The execution hangs together: one trace, one root, nothing lost, ids and event indices consistent.');
