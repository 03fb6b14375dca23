import { describe, expect, test } from 'vitest';
import { kebabCase } from '../../src/verdict/finding.ts';
import { spanId, viewOf } from '../view-builder.ts';
import { passingStory } from './mutations/mutation.ts';
import { mutationTables } from './mutations/tables.ts';

describe.each(mutationTables)('$assertion.id', ({ assertion, mutations }) => {
  test.each(mutations)('$what', (mutation) => {
    const parameters = assertion.parameters.parse(mutation.parameters);
    const passing = assertion.parameters.parse(mutation.parametersBefore ?? mutation.parameters);
    const before = assertion.evaluate(viewOf(passingStory(mutation), mutation.options), passing);
    expect(before).toMatchObject({ status: 'passed', findings: [], missing: [] });

    const after = assertion.evaluate(viewOf(mutation.after, mutation.options), parameters);
    const found = after.findings.map(({ code, arguments: args, spans }) => ({
      code,
      arguments: args,
      spans: spans.map((span) => span.spanId),
    }));
    const expected = mutation.findings.map(({ code, arguments: args, spans }) => ({
      code: `${kebabCase(assertion.id)}/${code}`,
      arguments: args,
      spans: spans.map(spanId),
    }));
    expect(found).toEqual(expected);
    expect(after.status).toBe('failed');
  });
});
