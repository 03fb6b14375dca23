import { appendFile } from 'node:fs/promises';
import type { Report } from '../../report/report.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Context } from '../context.ts';

/** Appends to the summary of the job, where the runner says that it goes; elsewhere there is none. */
export async function writeStepSummary(report: Report, { env }: Context): Promise<void> {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return;
  const { formatMarkdown } = await import('../../report/format-markdown.ts');
  try {
    await appendFile(path, `${formatMarkdown(report)}\n`);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot write the step summary (GITHUB_STEP_SUMMARY): ${code}`, { cause });
  }
}
