import { z } from 'zod';
import { nearestName } from './nearest-name.ts';
import { schemaKeys } from './schema-keys.ts';
import type { SuiteProblem } from './suite-problem.ts';

type Path = readonly (string | number)[];
type Issue = z.core.$ZodIssue;

/** What a zod schema has against some data, as sentences with the nearest name for what was misspelt. */
export function schemaProblems(error: z.ZodError, data: unknown, schema: z.ZodType): SuiteProblem[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Readonly<Record<string, unknown>>;
  return error.issues.flatMap((issue) => problems(issue, { data, json, base: [] }));
}

interface Ground {
  readonly data: unknown;
  readonly json: Readonly<Record<string, unknown>>;
  readonly base: Path;
}

function problems(issue: Issue, ground: Ground): SuiteProblem[] {
  const path = [...ground.base, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path, ground.json));
    case 'invalid_union':
      return union(issue, path, ground);
    case 'invalid_type':
      return [{ path, message: typeSentence(issue.expected, valueAt(ground.data, path)) }];
    case 'invalid_value':
      return [valueProblem(issue.values.map(String), valueAt(ground.data, path), path)];
    default:
      return [{ path, message: issue.message.replace(/^Invalid input: /, '').replace(/^./, (c) => c.toLowerCase()) }];
  }
}

function unknownKey(key: string, path: Path, json: Ground['json']): SuiteProblem {
  const known = schemaKeys(json, path);
  const near = nearestName(key, known);
  const hint = near === undefined ? `known here are ${known.join(', ')}` : `did you mean "${near}"?`;
  return { path: [...path, key], message: `unknown key "${key}"`, ...(known.length === 0 ? {} : { hint }) };
}

/** Of several forms that all fail, the one that got furthest is most likely the one that was meant. */
function union(issue: Issue & { code: 'invalid_union' }, path: Path, ground: Ground): SuiteProblem[] {
  const branches = issue.errors.map((errors) => errors.flatMap((inner) => problems(inner, { ...ground, base: path })));
  // None was even tried: the schema has a sentence of its own.
  if (branches.length === 0) return [{ path, message: issue.message }];
  const depth = (list: readonly SuiteProblem[]): number => Math.max(...list.map((problem) => problem.path.length));
  const deeper = branches.filter((list) => list.length > 0 && depth(list) > path.length);
  const [best] = deeper.sort((a, b) => a.length - b.length || depth(b) - depth(a));
  if (best !== undefined) return best;
  const expected = [...new Set(branches.flat().map(({ message }) => message.replace(/, got .*$/, '')))];
  const wanted = expected.map((text) => text.replace(/^expected /, '')).join(' or ');
  return [{ path, message: `expected ${wanted}, got ${nameOf(valueAt(ground.data, path))}` }];
}

function typeSentence(expected: string, value: unknown): string {
  return value === undefined
    ? `expected ${withArticle(expected)}, got nothing`
    : `expected ${withArticle(expected)}, got ${nameOf(value)}`;
}

function valueProblem(values: readonly string[], value: unknown, path: Path): SuiteProblem {
  const wanted = values.length === 1 ? `"${values[0]}"` : `one of ${values.map((word) => `"${word}"`).join(', ')}`;
  const near = typeof value === 'string' ? nearestName(value, values) : undefined;
  const message = `expected ${wanted}, got ${typeof value === 'string' ? `"${value.slice(0, 80)}"` : nameOf(value)}`;
  return { path, message, ...(near === undefined || values.length === 1 ? {} : { hint: `did you mean "${near}"?` }) };
}

const articles: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a map',
  record: 'a map',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function withArticle(type: string): string {
  return articles[type] ?? type;
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return articles[typeof value] ?? typeof value;
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string | number, unknown> | null | undefined)?.[key], data);
}
