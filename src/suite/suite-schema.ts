import { z } from 'zod';
import { spanQuery } from '../verdict/span-query-schema.ts';
import { expectedWait, parseWait } from './duration.ts';
import { faultsSchema } from './faults/faults-document.ts';
import { judgeSchema, packSchema, stepSchema, targetSchema, trialsKeys } from './run/run-schema.ts';
import type { ProfileDocument, SuiteDocument, TracesDocument } from './suite-document.ts';

const text = z.string().min(1);
const texts = z.union([text, z.array(text).min(1)]);
const duration = z.string().refine((value) => parseWait(value) !== undefined, expectedWait);

/** The `traces:` of a suite, and of a configuration file. */
export const tracesSchema: z.ZodType<TracesDocument> = z.strictObject({
  source: z.enum(['memory', 'file', 'otlp', 'tempo', 'jaeger']).optional().describe('Where the traces are.'),
  input: texts.optional().describe('Files, directories or globs, relative to the suite.'),
  traceId: texts.optional().describe('Only these traces.'),
  url: text.optional().describe('Address of Tempo, of a Grafana data source, or of Jaeger.'),
  tenant: text.optional().describe('X-Scope-OrgID of Tempo.'),
  service: text.optional().describe('Traces of this service.name.'),
  runId: text.optional(),
  conversationId: text.optional(),
  query: text.optional().describe('TraceQL that finds the traces.'),
  since: text.optional().describe('Start of the window searched: a time, or a duration before now.'),
  until: text.optional(),
  limit: z.int().positive().optional().describe('At most so many traces.'),
  settle: duration.optional().describe('How long a remote trace must stay the same.'),
  deadline: duration.optional().describe('How long to wait at most.'),
  completeness: z.enum(['proven', 'settled']).optional().describe('What is complete enough on a remote source.'),
  oneRun: z.boolean().optional().describe('Everything found is one run.'),
  instrumented: texts
    .optional()
    .describe('Scopes that make a span for every model and tool call, failed ones too: your word for it.'),
  access: texts
    .optional()
    .describe('Files that "otel-eval access --json" wrote, relative to the suite: evidence of TracePrivacyModes.'),
  projections: z
    .strictObject({
      live: texts.optional().describe('What was streamed while the runs went on.'),
      durable: texts.optional().describe('What was stored.'),
      ui: texts.optional().describe('What an interface or inspector was given.'),
    })
    .optional()
    .describe('JSON lines of other views of the runs, relative to the suite: evidence of ExecutionTraceJoined.'),
  spans: z
    .unknown()
    .optional()
    .describe('Source memory, in TypeScript: finished spans, or a function that makes them.'),
});

const selectSchema = z.strictObject({
  service: text.optional().describe('service.name of at least one span of the run.'),
  runId: text.optional(),
  conversationId: text.optional(),
  agent: text.optional().describe('Name of an agent that took part.'),
  traceId: text.optional(),
  span: spanQuery.optional().describe('At least one span of the run matches.'),
});

// Each assertion knows its own parameters: they are parsed after the frame.
const assertionSchema = z.union([text, z.record(z.string(), z.unknown())]);

const scenarioSchema = z.strictObject({
  name: text.describe('What should happen, in a few words.'),
  tags: z.array(text).optional(),
  select: selectSchema.optional().describe('Which runs this scenario judges; every one is a trial. Default: all.'),
  root: z.enum(['local', 'remote']).optional().describe('remote: the top span was called from outside.'),
  absentParentOf: texts
    .optional()
    .describe(
      'Names of spans below one parent that the program never ends, as where it dies of an error: that parent is no loss. Spans of these names below several absent parents, and any other orphan, are.',
    ),
  services: z.array(text).optional().describe('Services that take part in every run.'),
  completeness: z.enum(['proven', 'settled']).optional().describe('What is complete enough on a remote source.'),
  runBy: z.literal('conversation').optional().describe('What tells runs apart where no run id does.'),
  oneRun: z.boolean().optional().describe('Everything selected is one run.'),
  ...trialsKeys,
  steps: z.array(stepSchema).min(1).optional().describe('For "otel-eval run": what is asked of the target, in order.'),
  pack: text.optional().describe('The pack that it belongs to.'),
  everyTrial: z.array(text).optional().describe('Assertions that every trial must pass, whatever the policy.'),
  judges: z.array(text).optional().describe('Semantic judges that are asked too.'),
  assertions: z.array(assertionSchema).min(1).describe('What must hold.'),
});

const profileSchema: z.ZodType<ProfileDocument> = z.strictObject({
  ...trialsKeys,
  target: targetSchema.optional(),
  traces: tracesSchema.optional(),
  tags: z.array(text).optional().describe('Only scenarios that have all of these.'),
  concurrency: z.int().positive().optional().describe('Trials at once.'),
});

/** A suite as people write it, but for the assertions, which know their own parameters. */
export const suiteSchema: z.ZodType<SuiteDocument> = z.strictObject({
  schema: z.literal('otel-eval/suite/v1'),
  name: text.optional().describe('Default: the name of the file.'),
  traces: tracesSchema.optional().describe('Where the traces are: defaults of the flags.'),
  ...trialsKeys,
  target: targetSchema.optional(),
  profiles: z.record(text, profileSchema).optional().describe('Named sets of resources: fast, integration, live.'),
  packs: z.array(packSchema).optional().describe('Scenarios that need something which not every target has.'),
  probe: z.unknown().optional().describe('What the target is asked before the trials, so that it tells what it has.'),
  judges: z.record(text, judgeSchema).optional().describe('Semantic judges by name, in TypeScript.'),
  faults: faultsSchema.optional(),
  scenarios: z.array(scenarioSchema).min(1),
});
