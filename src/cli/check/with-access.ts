import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { AssertionUse } from '../../suite/assertion-use.ts';
import type { Suite } from '../../suite/suite.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { accessEvidenceSchema } from '../../verdict/access-evidence-schema.ts';
import type { AccessEvidence } from '../../verdict/access-proof.ts';
import type { Context } from '../context.ts';

const takes = 'TracePrivacyModes';
const fileSchema = z.object({ schema: z.literal('otel-eval/access/v1'), access: accessEvidenceSchema });

/**
 * The suite with what `otel-eval access --json` wrote as evidence of `TracePrivacyModes`, wherever a use of it brings
 * none of its own. Each run takes what is about one of its traces.
 */
export async function withAccess(suite: Suite, files: readonly string[], context: Context): Promise<Suite> {
  if (files.length === 0) return suite;
  const access = await Promise.all(files.map((file) => evidenceIn(file, context)));
  const scenarios = suite.scenarios.map((scenario) => ({
    ...scenario,
    assertions: scenario.assertions.map((use) => withEvidence(use, access)),
  }));
  if (scenarios.some(({ assertions }) => assertions.some(({ assertion }) => assertion.id === takes))) {
    return { ...suite, scenarios };
  }
  throw new OtelEvalError('OTEL_EVAL_USAGE', `no scenario asks for ${takes}, so nothing looks at who has access`, {
    source: '--access',
    hint: `judge by it: --assert '${takes}={"mode":"content"}', or in the suite`,
  });
}

function withEvidence(use: AssertionUse, access: readonly AccessEvidence[]): AssertionUse {
  const given = use.parameters as { readonly access?: unknown };
  if (use.assertion.id !== takes || given.access !== undefined) return use;
  return { ...use, parameters: { ...given, access } };
}

const hint = 'write it with: otel-eval access --trace-id ID --url URL --json > access.json';

async function evidenceIn(file: string, { cwd }: Context): Promise<AccessEvidence> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    const { code = 'failed' } = cause as NodeJS.ErrnoException;
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${file}: ${code === 'ENOENT' ? 'no such file' : code}`, {
      source: file,
      cause,
      hint,
    });
  }
  const read = fileSchema.safeParse(jsonIn(text));
  if (read.success) return { ...read.data.access, traceId: read.data.access.traceId.toLowerCase() };
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected what "otel-eval access --json" writes in ${file}`, {
    source: file,
    hint,
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
