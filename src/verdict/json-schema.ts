import type { Json } from '../agent/run.ts';
import { isAsymmetricMatcher } from '../trace/asymmetric-matcher.ts';

/** A JSON Schema as written in a suite. Only the keywords below are known; others are refused, never skipped. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

type Check = (value: Json) => boolean;
type Compile = (operand: never, schema: { readonly [keyword: string]: unknown }) => Check;

const annotations: ReadonlySet<string> = new Set(['$schema', '$id', 'title', 'description', 'default', 'examples']);

const typeChecks: Readonly<Record<string, Check>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => typeof value === 'number' && Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => isObject(value),
};

const keywords: Readonly<Record<string, Compile>> = {
  type: (operand: unknown) => {
    const names = Array.isArray(operand) ? operand : [operand];
    const checks = names.map((name) => typeChecks[String(name)] ?? refuse(`the type ${JSON.stringify(name)}`));
    return (value) => checks.some((check) => check(value));
  },
  const: (operand: Json) => (value) => jsonEqual(value, operand),
  enum: (operand: readonly Json[]) => {
    if (!Array.isArray(operand)) refuse('an enum that is no list');
    return (value) => operand.some((item) => jsonEqual(value, item));
  },
  minimum: (least: number) => onNumbers(least, (value) => value >= least),
  maximum: (most: number) => onNumbers(most, (value) => value <= most),
  exclusiveMinimum: (bound: number) => onNumbers(bound, (value) => value > bound),
  exclusiveMaximum: (bound: number) => onNumbers(bound, (value) => value < bound),
  minLength: (least: number) => sized(least, lengthOfText, (size) => size >= least),
  maxLength: (most: number) => sized(most, lengthOfText, (size) => size <= most),
  minItems: (least: number) => sized(least, lengthOfList, (size) => size >= least),
  maxItems: (most: number) => sized(most, lengthOfList, (size) => size <= most),
  pattern: (source: string) => {
    const expression = compiledPattern(source);
    return (value) => typeof value !== 'string' || expression.test(value);
  },
  required: (names: readonly string[]) => {
    if (!Array.isArray(names)) refuse('a required that is no list');
    return (value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name));
  },
  properties: (schemas: Readonly<Record<string, JsonSchema>>) => {
    const checks = Object.entries(objectOf('properties', schemas)).map(
      ([name, schema]) => [name, compileJsonSchema(schema)] as const,
    );
    return (value) =>
      !isObject(value) || checks.every(([name, check]) => !Object.hasOwn(value, name) || check(value[name] as Json));
  },
  additionalProperties: (schema: JsonSchema, { properties = {} }) => {
    const check = compileJsonSchema(schema);
    const known = new Set(Object.keys(objectOf('properties', properties)));
    return (value) =>
      !isObject(value) || Object.entries(value).every(([name, member]) => known.has(name) || check(member));
  },
  items: (schema: JsonSchema) => {
    const check = compileJsonSchema(schema);
    return (value) => !Array.isArray(value) || value.every((item) => check(item));
  },
  allOf: (schemas: readonly JsonSchema[]) => {
    const checks = listOf('allOf', schemas);
    return (value) => checks.every((check) => check(value));
  },
  anyOf: (schemas: readonly JsonSchema[]) => {
    const checks = listOf('anyOf', schemas);
    return (value) => checks.some((check) => check(value));
  },
  oneOf: (schemas: readonly JsonSchema[]) => {
    const checks = listOf('oneOf', schemas);
    return (value) => checks.filter((check) => check(value)).length === 1;
  },
  not: (schema: JsonSchema) => {
    const check = compileJsonSchema(schema);
    return (value) => !check(value);
  },
};

/**
 * Compiles a JSON Schema into a check. Throws a `TypeError` with one sentence for what it does not know, so that no
 * condition is skipped in silence.
 *
 * @example
 * compileJsonSchema({ type: 'number', minimum: 0 })(3); // true
 */
export function compileJsonSchema(schema: JsonSchema): Check {
  if (typeof schema === 'boolean') return () => schema;
  if (!isObject(schema)) refuse('a schema that is no object');
  const checks = Object.entries(schema)
    .filter(([keyword]) => !annotations.has(keyword))
    .map(([keyword, operand]) => {
      const compile = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
      return (compile ?? refuse(`the keyword ${JSON.stringify(keyword)}`))(operand as never, schema);
    });
  return (value) => checks.every((check) => check(value));
}

/** Equal as JSON: the order of keys does not matter. */
export function jsonEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (isAsymmetricMatcher(b)) return b.asymmetricMatch(a);
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && jsonEqual(a[name] as Json, b[name] as Json));
}

/** True of a JSON object, false of a list and of null. */
export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(what: string): never {
  throw new TypeError(`expected a JSON Schema of known keywords (${Object.keys(keywords).join(', ')}), got ${what}`);
}

function onNumbers(bound: unknown, holds: (value: number) => boolean): Check {
  if (typeof bound !== 'number') refuse('a bound that is no number');
  return (value) => typeof value !== 'number' || holds(value);
}

function sized(bound: unknown, sizeOf: (value: Json) => number | undefined, holds: (size: number) => boolean): Check {
  if (typeof bound !== 'number') refuse('a length that is no number');
  return (value) => {
    const size = sizeOf(value);
    return size === undefined || holds(size);
  };
}

/** In code points, as JSON Schema counts. */
function lengthOfText(value: Json): number | undefined {
  return typeof value === 'string' ? [...value].length : undefined;
}

function lengthOfList(value: Json): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function compiledPattern(source: unknown): RegExp {
  try {
    if (typeof source === 'string') return new RegExp(source, 'u');
  } catch {}
  return refuse('a pattern that is no regular expression');
}

function objectOf(keyword: string, value: unknown): Readonly<Record<string, JsonSchema>> {
  return isObject(value) ? (value as Readonly<Record<string, JsonSchema>>) : refuse(`${keyword} that is no object`);
}

function listOf(keyword: string, schemas: readonly JsonSchema[]): readonly Check[] {
  return Array.isArray(schemas) && schemas.length > 0
    ? schemas.map(compileJsonSchema)
    : refuse(`${keyword} that is no list of schemas`);
}
