import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/agent/run.ts';
import { compileJsonSchema, jsonEqual } from '../../src/verdict/json-schema.ts';

const cases: readonly [schema: object, holds: readonly Json[], fails: readonly Json[]][] = [
  [{ type: 'string' }, ['', 'a'], [1, null, [], {}]],
  [{ type: ['integer', 'null'] }, [1, -2, null], [1.5, '1']],
  [{ type: 'number' }, [1, 1.5], ['1', true]],
  [{ type: 'object' }, [{}], [[], null, 'x']],
  [{ type: 'array' }, [[]], [{}, null]],
  [{ const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2, 3] }]],
  [{ enum: ['a', 1, null] }, ['a', 1, null], ['b', true, '1']],
  [{ minimum: 3, maximum: 5 }, [3, 5, 'text', null], [2, 6]],
  [{ exclusiveMinimum: 3, exclusiveMaximum: 5 }, [4], [3, 5]],
  [{ minLength: 2, maxLength: 3 }, ['ab', '😀😀', 7], ['a', 'abcd', '😀']],
  [{ minItems: 1, maxItems: 2 }, [[1], [1, 2], 'x'], [[], [1, 2, 3]]],
  [{ pattern: '^ORD-\\d+$' }, ['ORD-1', 5], ['ord-1', 'xORD-1']],
  [{ required: ['a'] }, [{ a: null }, 'no object'], [{}, { b: 1 }]],
  [{ properties: { a: { type: 'number' } } }, [{ a: 1 }, {}, []], [{ a: 'x' }]],
  [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }, {}], [{ a: 1, b: 2 }]],
  [{ additionalProperties: { type: 'number' } }, [{ a: 1 }], [{ a: 'x' }]],
  [{ items: { type: 'number' } }, [[1, 2], []], [[1, 'x']]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, [1, 2], [3]],
  [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1, 2]],
  [{ not: { type: 'string' } }, [1, null], ['x']],
  [{ title: 't', description: 'd', type: 'string' }, ['x'], [1]],
];

describe('JSON Schema', () => {
  test.each(cases)('%j', (schema, holds, fails) => {
    const check = compileJsonSchema(schema as { [keyword: string]: unknown });
    expect(holds.map(check)).toEqual(holds.map(() => true));
    expect(fails.map(check)).toEqual(fails.map(() => false));
  });

  test('true and false', () => {
    expect([compileJsonSchema(true)(1), compileJsonSchema(false)(1)]).toEqual([true, false]);
  });

  test.each([
    [{ contains: {} }, 'the keyword "contains"'],
    [{ constructor: 1 }, 'the keyword "constructor"'],
    [{ type: 'text' }, 'the type "text"'],
    [{ type: ['string', 'text'] }, 'the type "text"'],
    [{ pattern: '(' }, 'a pattern that is no regular expression'],
    [{ minimum: '3' }, 'a bound that is no number'],
    [{ minLength: null }, 'a length that is no number'],
    [{ enum: 'a' }, 'an enum that is no list'],
    [{ required: 'a' }, 'a required that is no list'],
    [{ properties: [] }, 'properties that is no object'],
    [{ anyOf: [] }, 'anyOf that is no list of schemas'],
    [{ properties: { a: { $ref: '#' } } }, 'the keyword "$ref"'],
    [{ items: 3 }, 'a schema that is no object'],
  ])('%j is refused, not skipped', (schema, what) => {
    expect(() => compileJsonSchema(schema)).toThrow(new RegExp(`got ${what.replace(/[$"]/g, '\\$&')}$`));
  });

  test('equality does not depend on the order of keys, and an own key is not one of the prototype', () => {
    expect(jsonEqual({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toBe(true);
    expect(jsonEqual({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
    expect(jsonEqual({ toString: 1 }, { valueOf: 1 })).toBe(false);
    expect(jsonEqual([], {})).toBe(false);
    expect(compileJsonSchema({ required: ['toString'] })({})).toBe(false);
  });
});
