import { z } from 'zod';
import type { Assertion } from '../verdict/assertion.ts';
import { assertionsJsonSchema } from '../verdict/assertions-json-schema.ts';
import { suiteSchema } from './suite-schema.ts';

type JsonObject = Record<string, unknown>;

/** The JSON Schema of suite files, for editors: generated from what the judge itself accepts. */
export function suiteJsonSchema(assertions: readonly Assertion[]): JsonObject {
  const frame = renamed(z.toJSONSchema(suiteSchema, { io: 'input', unrepresentable: 'any' }) as JsonObject);
  const { item, definitions } = assertionsJsonSchema(assertions);
  const names = { enum: assertions.map(({ id }) => id), description: 'An assertion without parameters.' };
  return replaceAssertions(
    { ...frame, title: 'otel-eval suite', $defs: { ...child(frame, '$defs'), ...definitions } },
    { anyOf: [names, item] },
  );
}

function replaceAssertions(frame: JsonObject, item: JsonObject): JsonObject {
  const scenarios = child(child(frame, 'properties'), 'scenarios');
  const scenario = child(scenarios, 'items');
  const properties = child(scenario, 'properties');
  const list = { ...child(properties, 'assertions'), items: item };
  const newScenario = { ...scenario, properties: { ...properties, assertions: list } };
  const all = { ...child(frame, 'properties'), scenarios: { ...scenarios, items: newScenario } };
  return { ...frame, properties: all };
}

function child(schema: JsonObject, key: string): JsonObject {
  return schema[key] as JsonObject;
}

/** Both schemas number their definitions from nought. */
function renamed(frame: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(frame).replaceAll('__schema', '__suite')) as JsonObject;
}
