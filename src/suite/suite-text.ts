import { isMap, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { OtelEvalError } from '../trace/otel-eval-error.ts';

type Path = readonly (string | number)[];

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML or JSON file as data, and where each part of it stands. */
export interface SuiteText {
  readonly data: unknown;
  /** Of the key that ends the path (`key`), or of its value; of the nearest part that exists where it does not. */
  locate(path: Path, part: 'key' | 'value'): Position;
}

const longestBytes = 10 * 1024 * 1024;

/**
 * Reads YAML, or JSON as the YAML it also is. A duplicate key, a bad escape or broken nesting is an
 * `OTEL_EVAL_SUITE` error with line and column.
 */
export function parseSuiteText(text: string, source: string, form: 'yaml' | 'json'): SuiteText {
  if (text.length > longestBytes) {
    const got = `expected at most ${longestBytes} characters, got ${text.length}`;
    throw new OtelEvalError('OTEL_EVAL_TOO_LARGE', `${source}: ${got}`, { source });
  }
  const lines = new LineCounter();
  const document = readDocument(text, source, lines);
  const [error] = document.errors;
  if (error !== undefined) {
    const [sentence = ''] = error.message.split('\n');
    throw broken(source, sentence.replace(/ at line \d+, column \d+:?$/, ''), position(lines, error.pos[0]));
  }
  if (form === 'json') assertJson(text, source);
  return {
    data: asData(document, source),
    locate: (path, part) => position(lines, offsetOf(document.contents, path, part)),
  };
}

function readDocument(text: string, source: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'silent', strict: true });
  } catch (cause) {
    throw broken(source, 'nested too deeply', { line: 1, column: 1 }, cause);
  }
}

function asData(document: ReturnType<typeof parseDocument>, source: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw broken(source, 'cannot resolve its aliases', { line: 1, column: 1 }, cause);
  }
}

function assertJson(text: string, source: string): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw broken(source, 'expected JSON, got something looser (YAML ends in .yaml)', { line: 1, column: 1 }, cause);
  }
}

function broken(source: string, sentence: string, { line, column }: Position, cause?: unknown): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_SUITE', `${source}:${line}:${column}: ${sentence}`, {
    source,
    line,
    column,
    cause,
  });
}

function position(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function offsetOf(root: Node | null, path: Path, part: 'key' | 'value'): number {
  let node: unknown = root;
  let offset = startOf(root) ?? 0;
  for (const [i, key] of path.entries()) {
    const pair = isMap(node) ? node.items.find((item) => isPair(item) && keyOf(item.key) === String(key)) : undefined;
    node = pair === undefined ? childAt(node, key) : pair.value;
    if (node === undefined && pair === undefined) break;
    const ofKey = startOf(pair?.key);
    const wantsKey = part === 'key' && i === path.length - 1;
    offset = (wantsKey ? ofKey : startOf(node)) ?? ofKey ?? offset;
  }
  return offset;
}

function childAt(node: unknown, key: string | number): unknown {
  const items = (node as { items?: unknown[] } | null | undefined)?.items;
  return typeof key === 'number' ? items?.[key] : undefined;
}

function keyOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
