import { expect, test } from 'vitest';
import { nearestName } from '../../src/suite/nearest-name.ts';

test.each([
  ['ToolCaled', ['ToolCalled', 'ToolOrder'], 'ToolCalled'],
  ['toolcalled', ['ToolCalled', 'ToolOrder'], 'ToolCalled'],
  ['asertions', ['assertions', 'select', 'name'], 'assertions'],
  ['--trace_souce', ['--trace-source', '--trace-id'], '--trace-source'],
  ['slecet', ['select', 'services'], 'select'],
  ['Quality', ['ToolCalled', 'ToolOrder'], undefined],
  ['', ['a'], 'a'],
  ['x', [], undefined],
])('%s among %j is nearest to %s', (name, candidates, expected) => {
  expect(nearestName(name, candidates)).toBe(expected);
});

test('a swap of two neighbours costs one, so that of two candidates the swapped one wins', () => {
  expect(nearestName('shwo', ['shop', 'show'])).toBe('show');
});
