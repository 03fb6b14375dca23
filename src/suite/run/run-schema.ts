import { z } from 'zod';
import { expectedWait, parseWait } from '../duration.ts';
import type { PackRequirements } from '../pack/pack.ts';
import type { SemanticJudge } from '../semantic-judge.ts';
import type {
  HookDocument,
  JudgeDocument,
  PackDocument,
  PolicyDocument,
  StepDocument,
  TargetDocument,
} from './run-document.ts';

const text = z.string().min(1);
const texts = z.array(text);
const share = z.number().gt(0).max(1);

export const policySchema: z.ZodType<PolicyDocument> = z
  .union([
    z.literal('all'),
    z.strictObject({ passes: z.int().positive() }),
    z.strictObject({ rate: share, confidence: z.number().gt(0).lt(1).optional() }),
    z.strictObject({ passHatK: z.int().positive(), minimum: share }),
  ])
  .describe('What the trials must show together. Default: all.');

const duration = z.string().refine((value) => parseWait(value) !== undefined, expectedWait);

/** Keys that stand on a scenario, a suite or a profile. */
export const trialsKeys: {
  readonly trials: z.ZodOptional<z.ZodInt>;
  readonly policy: z.ZodOptional<z.ZodType<PolicyDocument>>;
  readonly stopEarly: z.ZodOptional<z.ZodBoolean>;
  readonly timeout: z.ZodOptional<z.ZodString>;
  readonly model: z.ZodOptional<z.ZodEnum<{ scripted: 'scripted'; live: 'live' }>>;
} = {
  trials: z.int().positive().max(100_000).optional().describe('How often each scenario is run. Default: 1.'),
  policy: policySchema.optional(),
  stopEarly: z.boolean().optional().describe('Stop a scenario as soon as its policy is decided.'),
  timeout: duration.optional().describe('Of all steps of one trial together. Default: 60s.'),
  model: z
    .enum(['scripted', 'live'])
    .optional()
    .describe('scripted: the model answers by a script, so its answers repeat. Default: live.'),
};

const hook: z.ZodType<HookDocument> = z.strictObject({ url: z.url(), method: text.optional() });

const command = z.strictObject({
  command: z.array(text).min(1).describe('Program and arguments; {input} stands for the text of the step.'),
  per: z.enum(['step', 'trial']).optional().describe('One process a step, or one a trial that reads and writes lines.'),
  cwd: text.optional(),
  env: z.record(text, z.string()).optional(),
});

const http = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('Chat endpoint.'),
  method: text.optional(),
  headers: z.record(text, z.string()).optional(),
  tokenEnv: text.optional().describe('Variable that holds a bearer token.'),
  body: z.unknown().optional().describe('JSON; {{input}} and {{conversation}} are filled in.'),
  open: hook.optional().describe('Makes the target fresh before a trial.'),
  drain: hook.optional().describe('Answers when background work and export are done.'),
  close: hook.optional(),
});

const fromModule = z.strictObject({ module: text.describe('File and export of a factory: ./agent.ts#createAgent') });
const create = z.strictObject({ create: z.custom((value) => typeof value === 'function', 'expected a function') });

export const targetSchema: z.ZodType<TargetDocument> = z
  .union([command, http, fromModule, create, z.literal('traces')])
  .describe('The agent under test.') as unknown as z.ZodType<TargetDocument>;

/** `assertions` are parsed by whoever knows them. */
export const stepSchema: z.ZodType<string | StepDocument> = z.union([
  text,
  z.strictObject({
    name: text.optional(),
    input: z.unknown(),
    conversation: text.optional().describe('Steps may use several conversations. Default: main.'),
    assertions: z.array(z.union([text, z.record(z.string(), z.unknown())])).optional(),
  }),
]);

const requires: z.ZodType<PackRequirements> = z.strictObject({
  tools: texts.optional(),
  capabilities: texts.optional(),
  traits: texts.optional(),
  operations: texts.optional(),
  inputs: texts.optional(),
  evidence: texts.optional().describe('Stages that every trial must show.'),
}) as unknown as z.ZodType<PackRequirements>;

export const packSchema: z.ZodType<PackDocument> = z.union([text, z.strictObject({ name: text, requires })]);

const isFunction = z.custom<SemanticJudge>((value) => typeof value === 'function', 'expected a function');

export const judgeSchema: z.ZodType<JudgeDocument> = z.union([
  isFunction,
  z.strictObject({ judge: isFunction, decides: z.boolean().describe('May fail a trial that passed otherwise.') }),
]);
