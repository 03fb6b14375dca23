import { z } from 'zod';
import type { SpanQuery } from '../trace/span-query.ts';

const text = z.string();
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const textForms = [
  z.strictObject({ startsWith: text.min(1).describe('Begins with this.') }),
  z.strictObject({ endsWith: text.min(1).describe('Ends with this.') }),
  z.strictObject({ contains: text.min(1).describe('Has this inside.') }),
  z.strictObject({ like: text.min(1).describe('Is like this, where each * stands for any characters, also none.') }),
] as const;
const oneOfThese = 'One of these.';
const noneOfThese = 'Another value than this, or than all of these.';

const textTest = z
  .union(
    [
      text.min(1),
      z.strictObject({ oneOf: z.array(text).min(1).describe(oneOfThese) }),
      z.strictObject({ not: z.union([text, z.array(text).min(1)]).describe(noneOfThese) }),
      ...textForms,
    ],
    { error: 'expected a text, or one of oneOf, not, startsWith, endsWith, contains, like' },
  )
  .meta({ id: 'TextTest', description: 'A text, exactly; or a form of it. Upper and lower case differ.' });

const bounds = z
  .strictObject({
    atLeast: z.number().optional().describe('A number of this or more.'),
    atMost: z.number().optional().describe('A number of this or less.'),
  })
  .refine(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined, {
    message: 'expected atLeast or atMost, got neither',
  });

const attributeTest = z
  .union(
    [
      scalar,
      z.strictObject({ oneOf: z.array(scalar).min(1).describe(oneOfThese) }),
      z.strictObject({ not: z.union([scalar, z.array(scalar).min(1)]).describe(noneOfThese) }),
      z.strictObject({ exists: z.boolean().describe('It is there, or it is not.') }),
      ...textForms,
      bounds,
    ],
    {
      error:
        'expected a value, or one of oneOf, not, exists, startsWith, endsWith, contains, like, or bounds (atLeast, atMost)',
    },
  )
  .meta({ id: 'AttributeTest', description: 'A value, exactly; or a form or bounds of it.' });

const attributeTests = z.record(z.string().min(1), attributeTest).optional();

function oneOfEnum<const Values extends readonly [string, ...string[]]>(values: Values) {
  const one = z.enum(values);
  return z.union(
    [
      one,
      z.strictObject({ oneOf: z.array(one).min(1).describe(oneOfThese) }),
      z.strictObject({ not: one.describe('Another one than this.') }),
    ],
    { error: `expected ${values.join(', ')}, or oneOf or not with these` },
  );
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const statuses = ['unset', 'ok', 'error'] as const;
const steps = [
  'agent',
  'model',
  'tool',
  'retrieval',
  'memory',
  'handoff',
  'human-input',
  'guardrail',
  'other',
] as const;

/** A span query as it stands in a suite. */
export const spanQuery: z.ZodType<SpanQuery> = z
  .strictObject({
    name: textTest.optional().describe('Name of the span.'),
    kind: oneOfEnum(kinds).optional().describe('Kind of the span, as OpenTelemetry names it.'),
    status: oneOfEnum(statuses).optional().describe('Status code of the span.'),
    service: textTest.optional().describe('service.name of its resource.'),
    scope: textTest.optional().describe('Name of its instrumentation scope.'),
    attributes: attributeTests.describe(
      'Attributes by key. Each must be there, except with `exists: false`; `not` means there, and other.',
    ),
    resource: attributeTests.describe('Attributes of its resource by key.'),
    scopeAttributes: attributeTests.describe('Attributes of its instrumentation scope by key.'),
    event: textTest.optional().describe('It has an event of this name.'),
    step: z.enum(steps).optional().describe('What the span tells of, in any instrumentation.'),
    get childOf() {
      return spanQuery.optional().describe('Its parent matches this query.');
    },
    get under() {
      return spanQuery.optional().describe('Some ancestor matches this query.');
    },
    get parentOf() {
      return spanQuery.optional().describe('Some child matches this query.');
    },
    get above() {
      return spanQuery.optional().describe('Some descendant matches this query.');
    },
    get after() {
      return spanQuery
        .optional()
        .describe('Some span of its trace that matches started before it, and had ended when it began.');
    },
    get all() {
      return z.array(spanQuery).min(1).optional().describe('Each of these queries matches.');
    },
    get any() {
      return z.array(spanQuery).min(1).optional().describe('At least one of these queries matches.');
    },
    get not() {
      return spanQuery.optional().describe('This query does not match.');
    },
  })
  .meta({
    id: 'SpanQuery',
    description: 'Which spans are meant: all that is named must hold; an empty query means every span.',
  });
