import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assertions } from '../../assertions/index.ts';
import { assertionsJsonSchema } from '../../src/verdict/assertions-json-schema.ts';
import { kebabCase } from '../../src/verdict/finding.ts';
import { viewOf } from '../view-builder.ts';
import { mutationTables } from './mutations/tables.ts';

const root = resolve(import.meta.dirname, '..', '..');
const fixtures = join(root, 'fixtures', 'assertions');
const statuses = ['passed', 'failed', 'inconclusive'] as const;
const names = assertions.map(({ id }) => kebabCase(id));

test('every assertion has its line in the index, its fixtures and its mutations', () => {
  const files = readdirSync(join(root, 'assertions'))
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .map((name) => name.replace(/\.ts$/, ''));
  const tables = mutationTables.map(({ assertion }) => kebabCase(assertion.id));
  const forgotten = [
    ...files.filter((name) => !names.includes(name)).map((name) => `assertions/index.ts: a line for ${name}.ts`),
    ...names.filter((name) => !files.includes(name)).map((name) => `assertions/${name}.ts, named after its id`),
    ...names.flatMap((name) =>
      [...statuses.map((status) => `${status}.otlp.json`), 'verdicts.json']
        .filter((file) => !existsSync(join(fixtures, name, file)))
        .map((file) => `fixtures/assertions/${name}/${file}`),
    ),
    ...readdirSync(fixtures)
      .filter((name) => !names.includes(name))
      .map((name) => `fixtures/assertions/${name} belongs to no assertion`),
    ...names.filter((name) => !tables.includes(name)).map((name) => `test/assertions/mutations: a table for ${name}`),
  ];
  expect(forgotten).toEqual([]);
});

describe.each(assertions)('$id', (assertion) => {
  const folder = join(fixtures, kebabCase(assertion.id));
  const { parameters, verdicts } = JSON.parse(readFileSync(join(folder, 'verdicts.json'), 'utf8'));

  test.each(statuses)('fixture %s', (status) => {
    const text = readFileSync(join(folder, `${status}.otlp.json`), 'utf8');
    const verdict = assertion.evaluate(viewOf(text), assertion.parameters.parse(parameters));
    expect({ ...verdict, missing: verdict.missing.map(({ kind }) => kind) }).toEqual(verdicts[status]);
    expect(verdict.status).toBe(status);
  });

  test('is never passed on a run without spans', () => {
    const view = viewOf(readFileSync(join(folder, 'passed.otlp.json'), 'utf8'), {
      run: { traces: [], steps: [], toolCalls: [], modelCalls: [], retrievals: [], handoffs: [], humanInputs: [] },
    });
    const verdict = assertion.evaluate({ ...view, traces: [] }, assertion.parameters.parse(parameters));
    expect(verdict.status).toBe('inconclusive');
    expect(verdict.examined).toBe(0);
  });

  test('refuses a key that it does not know', () => {
    const issues = assertion.parameters.safeParse({ ...parameters, mach: 1 }).error?.issues ?? [];
    expect(issues.map(({ code, path }) => [code, path])).toEqual([['unrecognized_keys', []]]);
  });
});

test('every parameter is described', () => {
  const { item, definitions } = assertionsJsonSchema(assertions);
  const silent = [...undescribed(item, ''), ...undescribed(definitions, '$defs')];
  expect(silent).toEqual([]);
});

test('every reference of the JSON Schema points at a definition', () => {
  const { item, definitions } = assertionsJsonSchema(assertions);
  const references = JSON.stringify([item, definitions]).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g);
  const names = new Set([...references].map(([, name = '']) => name));
  expect([...names].filter((name) => definitions[name] === undefined)).toEqual([]);
  expect([...names].sort()).toContain('SpanQuery');
});

test('the JSON Schema of the assertions is one that zod can read back', () => {
  const { item, definitions } = assertionsJsonSchema(assertions);
  const schema = z.fromJSONSchema({ ...item, $defs: definitions } as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse({ ToolCalled: { match: { tool: 'issue_refund' }, expect: { exactly: 1 } } }).success).toBe(
    true,
  );
  expect(schema.safeParse({ ToolCalled: { mach: {} } }).success).toBe(false);
  expect(schema.safeParse({ NoSuchAssertion: {} }).success).toBe(false);
});

/** Properties below `properties` without a description, with their path. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const found: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      for (const [name, property] of Object.entries(value as object)) {
        const described = 'description' in property || '$ref' in property;
        if (!described) found.push(`${path}.${name}`);
      }
    }
    found.push(...undescribed(value, `${path}.${key}`));
  }
  return found;
}
