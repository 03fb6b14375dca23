import { z } from 'zod';
import type { Report } from './report.ts';

const status = z.enum(['passed', 'failed', 'inconclusive', 'error', 'unavailable', 'notApplicable']);
const count = z.int().nonnegative();
const counts = z.object({ traces: count, spans: count });
const span = z.object({ traceId: z.string(), spanId: z.string() });
const missing = z.array(z.object({ kind: z.string(), message: z.string() }));
const argument = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const durationMs = z.number().nonnegative().optional().describe('Absent in deterministic output.');

const finding = z.object({
  code: z.string().describe('As execution-trace-joined/orphan-span.'),
  message: z.string(),
  arguments: z.record(z.string(), argument),
  spans: z.array(span),
  expected: z.string(),
  observed: z.string(),
  nearMisses: z.array(z.object({ span: span.nullable(), difference: z.string() })),
});

const assertion = z.object({
  name: z.string(),
  passed: z.boolean().describe('True only for status passed.'),
  status,
  examined: count.describe('Spans that the verdict rests on.'),
  findings: z.array(finding),
  missing: missing.describe('Evidence that an inconclusive verdict lacked.'),
  remarks: z.array(z.string()),
  facts: z.record(z.string(), argument).optional().describe('What reports count by: the label of a faulted run.'),
  nondeterministic: z.literal(true).optional().describe('Said by a semantic judge.'),
  advisory: z.literal(true).optional().describe('Stands beside the verdict and does not count in it.'),
});

const treeRow = z.object({
  traceId: z.string(),
  spanId: z.string().nullable().describe('null for spans folded away.'),
  depth: count,
  last: z.boolean(),
  name: z.string(),
  startMs: z.number().optional().describe('After the first start in its trace.'),
  durationMs,
  step: z
    .enum(['agent', 'model', 'tool', 'retrieval', 'memory', 'handoff', 'human-input', 'guardrail', 'other'])
    .optional()
    .describe('What the span stands for in the run.'),
  guilty: z.boolean(),
  notes: z.array(z.string()),
});

const trial = z.object({
  index: z.int().positive(),
  seed: z.number().nullable(),
  status,
  traceIds: z.array(z.string()),
  runId: z.string().nullable(),
  durationMs,
  steps: z.array(z.object({ name: z.string(), status })),
  assertions: z.array(assertion),
  evidence: z.string(),
  rerun: z.string().nullable(),
  tree: z.array(treeRow).describe('The part of the traces that matters; empty for a passed trial.'),
  measures: z.record(z.string(), z.number().nullable()).optional().describe('null where the trace does not tell.'),
  diagnosis: z.object({ likely: z.string(), next: z.string() }).optional().describe('A hint, not a verdict.'),
  proof: z
    .object({
      responseIds: z.array(z.string()),
      models: z.array(z.string()),
      completeness: z.array(z.string()),
      spans: count,
      strays: count,
    })
    .optional(),
});

const faulted = z.object({
  plan: z.string(),
  task: z.string(),
  row: z.string(),
  kind: z.string(),
  point: z.enum(['above_client', 'below_client']),
  mode: z.string(),
  minimumExercised: z.number(),
  repeatable: z.boolean(),
});

const counted = z.record(z.string(), count);
const resilienceCounts = { runs: count, labels: counted, invalid: counted, undecided: count, untold: count };

const resilience = z.object({
  plan: z.string().describe('Hash of the fault plan: counts of two plans are not compared.'),
  repeatable: z.boolean(),
  planned: count,
  exercisedShare: z.number(),
  minimumExercised: z.number(),
  ...resilienceCounts,
  rows: z.array(
    z.object({ scenario: z.string(), kind: z.string(), point: z.string(), mode: z.string(), ...resilienceCounts }),
  ),
  reactions: z.record(z.string(), counted),
  flags: counted.optional(),
  byMode: z.record(z.string(), z.object({ runs: count, medianToolCalls: z.number().nullable(), loopGuards: count })),
  controls: z
    .array(z.object({ task: z.string(), runs: count, status: z.string(), agreement: z.number() }))
    .optional()
    .describe('What each task came to without its faults.'),
  gaps: z.array(z.object({ kind: z.string(), above: z.number(), below: z.number(), absorbed: count })),
});

const scenario = z.object({
  name: z.string(),
  status,
  tags: z.array(z.string()),
  trials: z.array(trial),
  missing: missing.describe('Why a scenario did not pass, beyond what its trials say.'),
  planned: count.optional().describe('Trials in all shards together.'),
  policy: z.string().optional(),
  scripted: z.boolean().optional(),
  rule: z.looseObject({ kind: z.enum(['all', 'passes', 'rate', 'passHatK']) }).optional(),
  everyTrial: z.array(z.string()).optional(),
  faulted: faulted.optional().describe('Of a scenario that a fault plan has made: outside of summary.'),
  rate: z
    .object({ passed: count, of: count, lower: z.number(), upper: z.number(), unseenBelow: z.number().optional() })
    .optional(),
});

const plan = z.object({
  hash: z.string().describe('Results of equal plans may be compared.'),
  corpus: z.string(),
  profile: z.string().nullable(),
  seed: z.number(),
  scenarios: z.array(z.string()),
  target: z.object({ kind: z.string(), label: z.string() }),
  models: z.array(z.string()),
  artifact: z.object({ name: z.string(), sha256: z.string() }).nullable(),
  shard: z.object({ index: count, count }).nullable(),
  evidenceLevel: z.enum(['scripted_model', 'live_n1', 'live_n']),
});

const problem = z.object({ input: z.string(), code: z.string(), message: z.string(), at: z.string() });

const source = z.object({
  kind: z.enum(['memory', 'file', 'otlp', 'tempo', 'jaeger']),
  address: z.string().describe('Without credentials.'),
  completeness: z.record(z.string(), count).describe('Judged traces by state.'),
  fetched: counts,
  unselected: counts,
  unselectedTraces: z.array(z.object({ traceId: z.string(), topSpanNames: z.array(z.string()) })),
  accepted: z.enum(['proven', 'settled']),
  problems: z.object({ count, first: z.array(problem) }),
});

const summary = z.object({
  passed: count,
  failed: count,
  inconclusive: count,
  error: count,
  unavailable: count,
  notApplicable: count,
});

/** The schema of `otel-eval/report/v1`. Unknown keys are let through: later versions may add some. */
export const reportSchema: z.ZodType<Report> = z.looseObject({
  schema: z.literal('otel-eval/report/v1'),
  version: z.string(),
  suite: z.string().nullable(),
  startedAt: z.string().optional(),
  durationMs,
  status,
  exitCode: z.int(),
  source,
  summary,
  applicability: z.array(
    z.object({
      pack: z.string(),
      state: z.enum(['applicable', 'notApplicable', 'failedProof']),
      missing: z.array(z.string()),
    }),
  ),
  scenarios: z.array(scenario),
  resilience: resilience.optional().describe('What agents made of faults, beside the success rate.'),
  slices: z
    .array(
      z.object({
        scenario: z.string(),
        measure: z.string(),
        bins: z.array(
          z.object({
            above: z.number().nullable(),
            upTo: z.number().nullable(),
            runs: count,
            passed: count,
            lower: z.number(),
            upper: z.number(),
          }),
        ),
        untold: count,
      }),
    )
    .optional()
    .describe('Pass rate and support by a measure.'),
  plan: plan.optional(),
  childExitCode: z.int().nullable().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
}) as unknown as z.ZodType<Report>;
