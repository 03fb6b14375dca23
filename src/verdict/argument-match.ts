import type { Json, ToolCall } from '../agent/run.ts';
import { isAsymmetricMatcher } from '../trace/asymmetric-matcher.ts';
import { compileJsonSchema, isObject, type JsonSchema, jsonEqual } from './json-schema.ts';

export type Answer = 'yes' | 'no' | 'unknown';

/** What the arguments of a call must be: a part of them, all of them, or of a form. */
export interface ArgumentsWanted {
  readonly arguments?: { readonly [name: string]: Json } | undefined;
  readonly argumentsExactly?: { readonly [name: string]: Json } | undefined;
  readonly argumentsSchema?: JsonSchema | undefined;
}

/** `differing` names arguments, never their values. */
export interface ArgumentsAnswer {
  readonly answer: Answer;
  readonly differing: readonly string[];
}

type Digest = (value: unknown) => string | null;

const yes: ArgumentsAnswer = { answer: 'yes', differing: [] };

/**
 * Compares by the arguments themselves where the trace holds them, else by stamped digests (with a digest key), else
 * the answer is unknown.
 */
export function matchArguments(call: ToolCall, wanted: ArgumentsWanted, digest: Digest): ArgumentsAnswer {
  if (!asksForArguments(wanted)) return yes;
  const actual = call.arguments();
  const answers = actual === undefined ? byDigest(call, wanted, digest) : byValue(actual, wanted);
  const differing = [...new Set(answers.flatMap((answer) => answer.differing))];
  if (answers.some(({ answer }) => answer === 'no')) return { answer: 'no', differing };
  return answers.every(({ answer }) => answer === 'yes') ? yes : { answer: 'unknown', differing };
}

export function asksForArguments(wanted: ArgumentsWanted): boolean {
  return (wanted.arguments ?? wanted.argumentsExactly ?? wanted.argumentsSchema) !== undefined;
}

function byValue(actual: Json, wanted: ArgumentsWanted): readonly ArgumentsAnswer[] {
  const answers: ArgumentsAnswer[] = [];
  if (wanted.arguments !== undefined) {
    const differing = differingNames(actual, wanted.arguments, includes);
    answers.push(answerOf(isObject(actual) && differing.length === 0, differing));
  }
  if (wanted.argumentsExactly !== undefined) {
    const extra = isObject(actual) ? Object.keys(actual).filter((name) => !has(wanted.argumentsExactly, name)) : [];
    const differing = [...differingNames(actual, wanted.argumentsExactly, jsonEqual), ...extra];
    answers.push(answerOf(jsonEqual(actual, wanted.argumentsExactly), differing));
  }
  if (wanted.argumentsSchema !== undefined) {
    answers.push(answerOf(compiled(wanted.argumentsSchema)(actual), []));
  }
  return answers;
}

const compiledSchemas = new WeakMap<object, (value: Json) => boolean>();

/** A suite judges many calls with one schema. */
function compiled(schema: JsonSchema): (value: Json) => boolean {
  if (typeof schema === 'boolean') return compileJsonSchema(schema);
  const known = compiledSchemas.get(schema) ?? compileJsonSchema(schema);
  compiledSchemas.set(schema, known);
  return known;
}

function answerOf(holds: boolean, differing: readonly string[]): ArgumentsAnswer {
  return holds ? yes : { answer: 'no', differing };
}

type Compare = (actual: Json, wanted: Json) => boolean;

function differingNames(actual: Json, wanted: { readonly [name: string]: Json }, same: Compare): readonly string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => !(isObject(actual) && has(actual, name) && same(actual[name] as Json, value)))
    .map(([name]) => name);
}

/** Objects may hold more than is wanted, at any depth; lists have the same length. */
function includes(actual: Json, wanted: Json): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(actual) && actual.length === wanted.length && wanted.every((item, i) => includes(actual[i], item))
    );
  }
  if (!isObject(wanted)) return jsonEqual(actual, wanted);
  if (isAsymmetricMatcher(wanted)) return wanted.asymmetricMatch(actual);
  return (
    isObject(actual) &&
    Object.entries(wanted).every(([name, value]) => has(actual, name) && includes(actual[name] as Json, value))
  );
}

function has(object: object | undefined, name: string): boolean {
  return object !== undefined && Object.hasOwn(object, name);
}

function byDigest(call: ToolCall, wanted: ArgumentsWanted, digest: Digest): readonly ArgumentsAnswer[] {
  return [
    ...Object.entries(wanted.arguments ?? {}).map(([name, value]) => {
      // A digest cannot be held against a matcher of a test runner.
      if (isAsymmetricMatcher(value)) return { answer: 'unknown' as const, differing: [] };
      const answer = sameDigest(call.stampedArgumentDigests.get(name), digest(value));
      // An object inside the arguments may hold more than is wanted, which its digest cannot tell.
      const told = answer === 'no' && typeof value === 'object' && value !== null ? 'unknown' : answer;
      return { answer: told, differing: told === 'no' ? [name] : [] };
    }),
    ...(wanted.argumentsExactly === undefined
      ? []
      : [{ answer: sameDigest(call.stampedArgumentsDigest, digest(wanted.argumentsExactly)), differing: [] }]),
    ...(wanted.argumentsSchema === undefined ? [] : [{ answer: 'unknown' as const, differing: [] }]),
  ];
}

function sameDigest(stamped: string | undefined, wanted: string | null): Answer {
  if (stamped === undefined || wanted === null) return 'unknown';
  return stamped === wanted ? 'yes' : 'no';
}
