import { expect, test } from 'vitest';
import { wrapped } from '../../src/verdict/wrapped-text.ts';

const marks = { open: '<u>', close: '</u>' };

test.each([
  ['<u>do X</u>', 1, 0],
  ['do X', 0, 1],
  ['<u>do X</u> do X <u>do X</u>', 2, 1],
  ['<u>a</u> do X</u>', 0, 1],
  ['<u>a <u>do X</u> do X</u>', 1, 1],
  ['<u>do X', 0, 1],
  ['</u>do X<u>', 0, 1],
  ['nothing', 0, 0],
])('%s', (text, inside, outside) => {
  expect(wrapped(text, 'do X', marks)).toEqual({ inside, outside });
});
