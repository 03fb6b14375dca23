import { z } from 'zod';
import type { Assertion } from './assertion.ts';

/**
 * The JSON Schema (draft 2020-12) of one item under `assertions:` in a suite: an object with one key, the assertion's
 * id, and its parameters as value. Generated from the zod schemas, so editors and the judge agree.
 *
 * @example
 * assertionsJsonSchema(assertions).properties.ToolCalled // parameters of ToolCalled, described
 */
export function assertionsJsonSchema(assertions: readonly Assertion[]): Readonly<Record<string, unknown>> {
  const properties = Object.fromEntries(
    assertions.map(({ id, summary, parameters }) => {
      const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
      return [id, { ...schema, description: summary }];
    }),
  );
  return {
    description: 'One assertion with its parameters.',
    type: 'object',
    properties,
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  };
}
