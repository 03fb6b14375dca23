import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { schemaProblems } from '../../suite/schema-problems.ts';
import { pathText, problemText } from '../../suite/suite-problem.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import {
  endRowSchemas,
  eventRowSchemas,
  type ProjectionKind,
  type ProjectionRow,
} from '../../verdict/projection/projection-row.ts';

/**
 * Reads a projection: JSON lines, one for each event of a run and one with totals that ends it. A line that cannot be read
 * is an error with line and field; but the last one of a file that does not end in a line break was cut off, and what is
 * missing then is missing evidence.
 */
export async function projectionRows(kind: ProjectionKind, file: string, cwd: string): Promise<ProjectionRow[]> {
  const lines = (await textOf(file, cwd)).split('\n');
  const rows: ProjectionRow[] = [];
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const value = valueIn(text);
    if (value === undefined && at === lines.length - 1) break;
    rows.push(rowOf(value, { kind, source: file, line: at + 1 }));
  }
  return rows;
}

async function textOf(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read the projection ${file}: ${code}`, { source: file, cause });
  }
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface Place {
  readonly kind: ProjectionKind;
  readonly source: string;
  readonly line: number;
}

function rowOf(value: unknown, { kind, source, line }: Place): ProjectionRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OtelEvalError('OTEL_EVAL_BAD_FIELD', `${source}:${line}:1: expected a JSON object, one row of ${kind}`, {
      source,
      line,
    });
  }
  const schema = 'totals' in value ? endRowSchemas[kind] : eventRowSchemas[kind];
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [problem = { message: 'not a row', path: [] }] = schemaProblems(read.error, value, schema);
  const place = { source, line, field: pathText(problem.path) };
  throw new OtelEvalError('OTEL_EVAL_BAD_FIELD', problemText(source, { ...problem, line }), place);
}
