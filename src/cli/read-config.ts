import { z } from 'zod';
import { placed, readDataFile } from '../suite/load-suite.ts';
import { schemaProblems } from '../suite/schema-problems.ts';
import type { TracesDocument } from '../suite/suite-document.ts';
import { suiteError } from '../suite/suite-problem.ts';
import { tracesSchema } from '../suite/suite-schema.ts';

/** `otel-eval.config.*`: what is not given by flag, environment or suite. */
export interface Config {
  readonly suite?: string | undefined;
  readonly traces?: TracesDocument | undefined;
  readonly json?: string | undefined;
  readonly junit?: string | undefined;
  readonly html?: string | undefined;
  readonly markdown?: string | undefined;
}

const configSchema: z.ZodType<Config> = z.strictObject({
  suite: z.string().min(1).optional(),
  traces: tracesSchema.optional(),
  json: z.string().min(1).optional(),
  junit: z.string().min(1).optional(),
  html: z.string().min(1).optional(),
  markdown: z.string().min(1).optional(),
});

/** Reads one configuration file; what is wrong with it is an `OTEL_EVAL_SUITE` error with line and column. */
export async function readConfig(path: string, cwd: string): Promise<Config> {
  const file = await readDataFile(path, cwd);
  const result = configSchema.safeParse(file.data);
  if (result.success) return result.data;
  throw suiteError(path, placed(schemaProblems(result.error, file.data, configSchema), file));
}
