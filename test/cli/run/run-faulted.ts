import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { reportSchema } from '../../../src/report/report-schema.ts';
import { runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';

export const suiteFile: string = join(root, 'fixtures/suites/faulted/calendar.suite.ts');

export interface Ran {
  readonly code: number;
  readonly text: string;
  readonly report: Report;
  readonly row: { readonly status: string | undefined; readonly facts: Readonly<Record<string, unknown>> | undefined };
}

/** `otel-eval run` of an export of the calendar suite. */
export async function runFaulted(folder: string, name: string, ...args: string[]): Promise<Ran> {
  const out = join(folder, `${name}.json`);
  const { code, stdout, stderr } = await runCli(
    ['run', `${suiteFile}#${name}`, ...args, '--json', out, '--deterministic'],
    {
      cwd: root,
    },
  );
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  expect(reportSchema.safeParse(report).success).toBe(true);
  const scenario = report.scenarios.find(({ faulted }) => faulted !== undefined);
  const facts = scenario?.trials[0]?.assertions.find((each) => each.name === 'RecoveryClassified')?.facts;
  return { code, text: stdout + stderr, report, row: { status: scenario?.status, facts } };
}
