type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The keys that a JSON Schema knows at a path, of every alternative together: what to offer for a misspelt one. Arrays
 * are followed by number, maps of any key by their value.
 */
export function schemaKeys(schema: JsonSchema, path: readonly (string | number)[]): string[] {
  let here = alternatives(schema, schema, 0);
  for (const key of path) {
    here = here.flatMap((option) => step(option, key)).flatMap((option) => alternatives(option, schema, 0));
  }
  return [...new Set(here.flatMap((option) => Object.keys(object(option['properties']) ?? {})))];
}

function step(schema: JsonSchema, key: string | number): JsonSchema[] {
  if (typeof key === 'number') return present(object(schema['items']));
  const named = object(object(schema['properties'])?.[key]);
  return present(named ?? object(schema['additionalProperties']));
}

function alternatives(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema[] {
  if (depth > 20) return [];
  const reference = typeof schema['$ref'] === 'string' ? resolve(schema['$ref'], root) : undefined;
  const listed = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (Array.isArray(schema[word]) ? schema[word] : []));
  const more = [reference, ...listed].filter((option): option is JsonSchema => object(option) !== undefined);
  return [schema, ...more.flatMap((option) => alternatives(option, root, depth + 1))];
}

function resolve(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (reference === '#') return root;
  const keys = reference.replace(/^#\//, '').split('/');
  return keys.reduce<JsonSchema | undefined>((at, key) => object(at?.[key]), root);
}

function object(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}

function present(schema: JsonSchema | undefined): JsonSchema[] {
  return schema === undefined ? [] : [schema];
}
