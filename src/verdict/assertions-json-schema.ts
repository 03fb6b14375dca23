import { z } from 'zod';
import type { Assertion } from './assertion.ts';

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchemaDocument = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of one item under `assertions:` in a suite: an object with one key, the id of an assertion, and its
 * parameters as value. Generated from the zod schemas, so that editors and the judge agree. References point at
 * `#/$defs/…`: whoever puts `item` into a larger schema puts `definitions` at the root of it.
 *
 * @example
 * const { item, definitions } = assertionsJsonSchema(assertions);
 * item.properties.ToolCalled; // the parameters of ToolCalled, described
 */
export function assertionsJsonSchema(assertions: readonly Assertion[]): {
  readonly item: JsonSchemaDocument;
  readonly definitions: JsonSchemaDocument;
} {
  const shape = Object.fromEntries(
    assertions.map(({ id, summary, parameters }) => [id, parameters.describe(summary).optional()]),
  );
  const all = z.strictObject(shape).describe('One assertion with its parameters.');
  const { $schema: _, $defs = {}, ...item } = z.toJSONSchema(all, { io: 'input', unrepresentable: 'any' });
  return { item: { ...item, minProperties: 1, maxProperties: 1 }, definitions: $defs };
}
