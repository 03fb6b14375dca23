import { z } from 'zod';

export interface ExecutionTraceJoinedParameters {
  readonly children: 'reachable' | 'direct';
  readonly services?: readonly string[] | undefined;
  readonly traces?: 'one' | 'several' | undefined;
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
  })
  .describe('The execution hangs together: one trace, one root, nothing lost, ids and event indices consistent.');
