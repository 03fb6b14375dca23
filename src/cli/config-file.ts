import { access } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
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
}

export interface LoadedConfig extends Config {
  /** Relative paths of `traces` start here (the others are made relative to the working folder); absent without a file. */
  readonly folder?: string;
}

const configSchema: z.ZodType<Config> = z.strictObject({
  suite: z.string().min(1).optional(),
  traces: tracesSchema.optional(),
  json: z.string().min(1).optional(),
  junit: z.string().min(1).optional(),
});

const names = ['ts', 'js', 'yaml', 'json'].map((ending) => `otel-eval.config.${ending}`);

/** The file that was named, else the nearest one upwards of `cwd`, else nothing. */
export async function loadConfig(named: string | undefined, cwd: string): Promise<LoadedConfig> {
  const path = named ?? (await findUpwards(cwd));
  if (path === undefined) return {};
  const file = await readDataFile(path, cwd);
  const result = configSchema.safeParse(file.data);
  if (!result.success) throw suiteError(path, placed(schemaProblems(result.error, file.data, configSchema), file));
  const folder = dirname(resolve(cwd, path));
  const { suite, json, junit, traces } = result.data;
  const from = (file: string | undefined): string | undefined =>
    file === undefined ? undefined : relative(cwd, resolve(folder, file));
  return { suite: from(suite), json: from(json), junit: from(junit), traces, folder };
}

async function findUpwards(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of names) {
      const path = join(folder, name);
      if (await exists(path)) return path;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
