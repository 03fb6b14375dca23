import { expect, test } from 'vitest';
import { skeletonOf } from '../../../src/trace/privacy/skeleton.ts';
import type { Span } from '../../../src/trace/span.ts';
import { attributesOf, makeSpan } from '../make-span.ts';
import { traceOf } from '../trace-of.ts';

const operation = (number: number, parent: number | undefined, name: string): Span =>
  makeSpan(number, parent, { attributes: attributesOf({ 'gen_ai.operation.name': name }) });

test('siblings stand by their shape, whichever of parallel ones came first', () => {
  const one = [
    operation(1, undefined, 'invoke_agent'),
    operation(2, 1, 'execute_tool'),
    operation(3, 1, 'execute_tool'),
    operation(4, 3, 'chat'),
    operation(5, 1, 'chat'),
  ];
  const other = [
    operation(1, undefined, 'invoke_agent'),
    operation(2, 1, 'chat'),
    operation(3, 1, 'execute_tool'),
    operation(4, 3, 'chat'),
    operation(5, 1, 'execute_tool'),
  ];
  expect(skeletonOf(traceOf(one))).toEqual([
    'internal invoke_agent',
    '  internal chat',
    '  internal execute_tool',
    '  internal execute_tool',
    '    internal chat',
  ]);
  expect(skeletonOf(traceOf(other))).toEqual(skeletonOf(traceOf(one)));
  expect(skeletonOf(traceOf(one.slice(0, 4)))).not.toEqual(skeletonOf(traceOf(one)));
});
