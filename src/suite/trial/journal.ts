import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

const header = z.object({
  schema: z.literal('otel-eval/journal/v1'),
  version: z.string(),
  planHash: z.string(),
});
const entry = z.object({ key: z.string(), record: z.unknown() });

export interface JournalHeader {
  /** Of otel-eval: another version may judge otherwise. */
  readonly version: string;
  /** Of all that is planned: a journal of another plan says nothing of this one. */
  readonly planHash: string;
}

/** Finished trials on disk, one line each. A line is written whole or, at a crash, not counted. */
export interface Journal {
  /** Records of an earlier run, by key. */
  readonly finished: ReadonlyMap<string, unknown>;
  append(key: string, record: unknown): void;
  close(): void;
}

/**
 * Opens a journal, or begins one. What a killed run has finished is not lost, and what it had begun is not counted.
 *
 * @param path - the file; created where it is not there
 */
export function openJournal(path: string, { version, planHash }: JournalHeader): Journal {
  const text = readExisting(path);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').filter((line) => line !== '');
  const finished = new Map<string, unknown>();
  if (lines.length > 0) {
    requireSamePlan(path, lines[0] ?? '', { version, planHash });
    for (const [at, line] of lines.slice(1).entries()) {
      const { key, record } = parsedLine(entry, line, path, at + 2);
      finished.set(key, record);
    }
  }
  const file = opened(path);
  ftruncateSync(file, Buffer.byteLength(whole));
  const write = (value: unknown): void => appendFileSync(file, `${JSON.stringify(value)}\n`);
  if (lines.length === 0) write({ schema: 'otel-eval/journal/v1', version, planHash });
  return { finished, append: (key, record) => write({ key, record }), close: () => closeSync(file) };
}

function readExisting(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw ioError(path, cause);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'a');
  } catch (cause) {
    throw ioError(path, cause);
  }
}

function requireSamePlan(path: string, line: string, { version, planHash }: JournalHeader): void {
  const found = parsedLine(header, line, path, 1);
  const refuse = (what: string): OtelEvalError =>
    new OtelEvalError('OTEL_EVAL_USAGE', `${path} is the journal of ${what}`, {
      source: path,
      hint: 'give --resume a new file, or run the plan that the journal belongs to',
    });
  if (found.planHash !== planHash) throw refuse('another plan: suite, profile, trials or seed differ');
  if (found.version !== version) throw refuse(`another version of otel-eval (${found.version.slice(0, 40)})`);
}

function parsedLine<Value>(schema: z.ZodType<Value>, line: string, path: string, number: number): Value {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch {
    data = undefined;
  }
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `expected a journal of "otel-eval run" in ${path}, line ${number} is none`,
    {
      source: path,
      line: number,
    },
  );
}

function ioError(path: string, cause: unknown): OtelEvalError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  return new OtelEvalError('OTEL_EVAL_IO', `cannot use ${path} as a journal: ${code}`, { source: path, cause });
}
