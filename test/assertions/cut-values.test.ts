import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { responseContains } from '../../assertions/response-contains.ts';
import { spansMatch } from '../../assertions/spans-match.ts';
import { cutLoss } from '../../src/trace/cut-values.ts';
import { type SpanSketch, spanId, type ViewOptions, viewOf } from '../view-builder.ts';
import { answering } from './mutations/response-contains.ts';

const lost = cutLoss('attribute', 'prompt', spanId('2'));
const settled: ViewOptions = {
  kind: 'tempo',
  acceptsSettled: true,
  facts: { remote: true, ended: false, quiet: true },
};
const withCut: ViewOptions = { ...settled, facts: { ...settled.facts, losses: [lost] } };

function story(prompt: string): readonly SpanSketch[] {
  return [
    { id: '1', name: 'run', end: 100 },
    { id: '2', parent: '1', name: 'chat', start: 10, attributes: { prompt, n: 1 } },
  ];
}

const judge = (spans: readonly SpanSketch[], parameters: unknown, options: ViewOptions) =>
  spansMatch.evaluate(viewOf(spans, options), spansMatch.parameters.parse(parameters) as never);

const whole = `${'word '.repeat(500)}the end`;
const cut = whole.slice(0, 2_048);

const chat = { name: 'chat' };
const asking = (prompt: unknown) => ({ attributes: { prompt } });

describe('SpansMatch on a value that a server has cut', () => {
  test.each([
    ['what it must hold', { match: chat, expect: { every: asking({ contains: 'the end' }) } }],
    ['what it must not hold', { match: chat, expect: { none: asking({ contains: 'the end' }) } }],
    ['how it ends', { match: chat, expect: { every: asking({ endsWith: 'the end' }) } }],
    ['a form of it', { match: chat, expect: { every: asking({ like: 'word*end' }) } }],
    ['all of it', { match: chat, expect: { every: asking(whole) } }],
    ['how many spans there are', { match: asking({ contains: 'the end' }), expect: { exactly: 0 }, allowEmpty: 'x' }],
    ['which are counted', { match: chat, expect: { exactly: 0, that: { not: asking({ contains: 'the end' }) } } }],
    ['spans below it', { match: { childOf: asking({ endsWith: 'x' }) }, expect: { none: {} }, allowEmpty: 'x' }],
  ])('%s is inconclusive, with the loss named', (_, parameters) => {
    const verdict = judge(story(cut), parameters, withCut);
    expect([verdict.status, verdict.findings, verdict.missing]).toEqual([
      'inconclusive',
      [],
      [{ kind: 'content', message: `${lost}, and what stood behind may decide; raise the limit of the server` }],
    ]);
    // The same value from a source that cuts nothing is what it is.
    expect(judge(story(cut), parameters, settled).status).not.toBe('inconclusive');
  });

  test.each([
    ['how it begins', { match: chat, expect: { every: asking({ startsWith: 'word' }) } }, 'passed'],
    ['that it is there', { match: chat, expect: { every: asking({ exists: true }) } }, 'passed'],
    ['what is left of it', { match: chat, expect: { none: asking({ contains: 'word' }) } }, 'failed'],
    ['a short text', { match: chat, expect: { none: asking('short') } }, 'passed'],
    ['another attribute', { match: chat, expect: { every: { attributes: { n: 1 } } } }, 'passed'],
    ['another span', { match: { name: 'run' }, expect: { none: { name: 'chat' } } }, 'passed'],
  ])('%s is decided all the same', (_, parameters, status) => {
    expect(judge(story(cut), parameters, withCut).status).toBe(status);
    expect(judge(story(whole), parameters, settled).status).toBe(status);
  });

  test('whatever is asked, a cut turns no verdict round', () => {
    const piece = fc.constantFrom('word', 'the end', 'end', 'zebra', 'word the', whole, cut, 'd ');
    const asked = fc.oneof(
      piece,
      fc.record({ contains: piece }),
      fc.record({ startsWith: piece }),
      fc.record({ endsWith: piece }),
      piece.map((text) => ({ like: `*${text}*` })),
      piece.map((text) => ({ not: text })),
      fc.record({ oneOf: fc.array(piece, { minLength: 1, maxLength: 3 }) }),
      fc.boolean().map((exists) => ({ exists })),
    );
    const query = fc.oneof(
      asked.map(asking),
      asked.map((one) => ({ not: asking(one) })),
      fc.tuple(asked, asked).map(([a, b]) => ({ any: [asking(a), asking(b)] })),
    );
    const parameters = fc.oneof(
      query.map((every) => ({ match: chat, expect: { every } })),
      query.map((none) => ({ match: chat, expect: { none } })),
      query.map((match) => ({ match, expect: { atLeast: 1 }, allowEmpty: 'x' })),
      query.map((that) => ({ match: chat, expect: { exactly: 1, that } })),
    );
    fc.assert(
      fc.property(parameters, (given) => {
        const [before, after] = [judge(story(whole), given, settled), judge(story(cut), given, withCut)];
        expect([before.status, 'inconclusive']).toContain(after.status);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the answer of a run that a server has cut', () => {
  const loss = cutLoss('attribute', 'output.value', spanId('6'));
  const local: ViewOptions = { kind: 'file' };
  const losing: ViewOptions = { ...local, facts: { losses: [loss] } };
  const says = (text: string, options: ViewOptions, given: object) =>
    responseContains.evaluate(viewOf(answering(text), options), responseContains.parameters.parse(given));

  test('neither what it holds nor what it does not is decided', () => {
    for (const given of [{ text: 'the end' }, { without: 'the end' }]) {
      const { status, missing } = says(cut, losing, given);
      expect([status, missing.map(({ kind, message }) => [kind, message.startsWith(loss)])]).toEqual([
        'inconclusive',
        [['content', true]],
      ]);
    }
    expect(says(whole, local, { text: 'the end' }).status).toBe('passed');
    expect(says(cut, local, { text: 'the end' }).status).toBe('failed');
    expect(says('the end', losing, { text: 'the end' }).status).toBe('passed');
  });
});
