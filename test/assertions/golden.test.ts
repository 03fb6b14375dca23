import { describe, expect, test } from 'vitest';
import { assertions } from '../../assertions/index.ts';
import { kebabCase } from '../../src/verdict/finding.ts';
import { viewOf } from '../view-builder.ts';
import { mutationTables } from './mutations/tables.ts';

interface Told {
  readonly expected: string;
  readonly observed: string;
}

/** The first finding of each code that a mutation gives. */
function toldByCode(): Map<string, Told> {
  const told = new Map<string, Told>();
  for (const { assertion, mutations } of mutationTables) {
    for (const { parameters, after, options } of mutations) {
      const verdict = assertion.evaluate(viewOf(after, options), assertion.parameters.parse(parameters));
      for (const { code, expected, observed } of verdict.findings) {
        if (!told.has(code)) told.set(code, { expected, observed });
      }
    }
  }
  return told;
}

const told = toldByCode();
const codes = assertions.flatMap(({ id, findings }) => Object.keys(findings).map((code) => `${kebabCase(id)}/${code}`));

describe('finding codes', () => {
  test('each one is given by a mutation', () => {
    const silent = codes.filter((code) => !told.has(code));
    expect(silent, 'add a mutation to test/assertions/mutations').toEqual([]);
  });

  test('each one says the sentence that stands in the golden file (npx vitest -u writes it)', async () => {
    const text = codes
      .map((code) => `${code}\n  expected  ${told.get(code)?.expected}\n  observed  ${told.get(code)?.observed}\n`)
      .join('\n');
    await expect(text).toMatchFileSnapshot('golden/findings.golden.txt');
  });

  test('assertions/README.md lists every assertion and code (npx vitest -u writes it)', async () => {
    await expect(readme()).toMatchFileSnapshot('../../assertions/README.md');
  });
});

function readme(): string {
  const sections = assertions.map(({ id, summary, needs, findings }) => {
    const rows = Object.keys(findings).map((name) => {
      const { expected, observed } = told.get(`${kebabCase(id)}/${name}`) ?? { expected: '', observed: '' };
      return `| \`${name}\` | ${cell(expected)} | ${cell(observed)} |`;
    });
    return [
      `## ${id}`,
      '',
      `${summary} Rests on ${needs}.`,
      '',
      `| \`${kebabCase(id)}/…\` | expected | observed |`,
      '| --- | --- | --- |',
      ...rows,
      '',
    ].join('\n');
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');

const introduction = `# Assertions

To add one: a file here with its id, parameters (zod, every field described), findings (a code, its typed arguments, two clauses) and one
pure \`evaluate\`; a line in \`index.ts\`; a folder \`fixtures/assertions/<id-in-kebab-case>\` with \`passed\`, \`failed\` and
\`inconclusive.otlp.json\` and their \`verdicts.json\`; a table of mutations in \`test/assertions/mutations\`. Then \`npx vitest -u
test/assertions\` writes the golden sentences and this page. A test names whatever is missing.

An assertion looks at a \`View\` and nothing else: no clock, no network, no \`node:*\`. It makes its verdict with \`conclude\`, which never passes
on nothing, and asks before it speaks: \`undecided(claim, view)\` says what completeness a claim lacks (design §5), \`undecidedAbsence(view,
facts)\` what the absence of a fact needs to be seen, \`isHeap(run)\` whether runs can be told apart. Sentences name spans, tools and counts;
arguments, results, messages and whatever a model wrote stay out, also where it would help.

The clauses below are those of an example each, from \`test/assertions/mutations\`.
`;
