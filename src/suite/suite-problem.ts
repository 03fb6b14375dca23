import { OtelEvalError } from '../trace/otel-eval-error.ts';

/** One thing wrong with a suite or configuration file. */
export interface SuiteProblem {
  /** One sentence: expected, got. */
  readonly message: string;
  /** Keys and indices from the top of the file. */
  readonly path: readonly (string | number)[];
  readonly hint?: string;
  /** 1-based; absent where the file is a program. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
}

/** `scenarios[0].assertions[1].ToolCalled`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`)).join('');
}

/** `suite.yaml:4:7: unknown key "asertions" at scenarios[0]; did you mean "assertions"?`. */
export function problemText(source: string, { message, path, hint, line, column }: SuiteProblem): string {
  const place = line === undefined ? source : `${source}:${line}:${column ?? 1}`;
  // An unknown key is named already.
  const shown = isUnknownKey(message) ? path.slice(0, -1) : path;
  const at = shown.length === 0 ? '' : ` at ${pathText(shown)}`;
  return `${place}: ${message}${at}${hint === undefined ? '' : `; ${hint}`}`;
}

function isUnknownKey(message: string): boolean {
  return message.startsWith('unknown key ');
}

/** The first problem as an error; how many more there are is said, and who lists them. */
export function suiteError(source: string, problems: readonly SuiteProblem[]): OtelEvalError {
  const [first] = problems;
  if (first === undefined) return new OtelEvalError('OTEL_EVAL_SUITE', `${source}: not a suite`, { source });
  const more = problems.length - 1;
  const rest = more === 0 ? '' : ` (and ${more} more; "otel-eval validate" lists them)`;
  return new OtelEvalError('OTEL_EVAL_SUITE', `${problemText(source, first)}${rest}`, {
    source,
    field: pathText(first.path),
    ...(first.line === undefined ? {} : { line: first.line }),
    ...(first.column === undefined ? {} : { column: first.column }),
  });
}
