import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

// Design §4: who may import whom. A room may always import itself.
const allowed: Record<string, readonly string[]> = {
  trace: [],
  agent: ['trace'],
  verdict: ['trace', 'agent'],
  statistics: [],
  // Of `faults` only what is pure: see the test below.
  assertions: ['trace', 'agent', 'verdict', 'statistics', 'faults'],
  collectors: ['trace'],
  // Only files of `trace` that import nothing from node_modules; see the test below.
  instrument: ['trace'],
  register: ['instrument', 'trace'],
  faults: ['trace', 'agent', 'verdict', 'statistics', 'instrument'],
  suite: ['trace', 'agent', 'verdict', 'faults', 'statistics', 'assertions', 'collectors', 'instrument'],
  report: ['trace', 'agent', 'verdict', 'suite', 'statistics', 'faults'],
  testing: [
    'trace',
    'agent',
    'verdict',
    'assertions',
    'collectors',
    'faults',
    'suite',
    'report',
    'instrument',
    'register',
    'statistics',
  ],
  vitest: ['trace', 'agent', 'verdict', 'assertions', 'testing', 'report', 'suite'],
  jest: ['trace', 'agent', 'verdict', 'assertions', 'testing', 'report', 'suite', 'vitest'],
};

const packagesOnlyIn: Record<string, readonly string[]> = {
  undici: ['collectors', 'faults'],
  commander: ['cli'],
};

const root = resolve(import.meta.dirname, '..');

function sources(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function roomOf(file: string): string {
  const [top, room] = file.split('/');
  if (top !== 'src') return top ?? '';
  return room?.endsWith('.ts') ? 'door' : (room ?? '');
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly room: string;
  readonly target: string | undefined;
}

function imports(): Import[] {
  return ['src', 'collectors', 'assertions'].flatMap(sources).flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    const found = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm);
    return [...found].map(([, to = '']) => ({
      from,
      to,
      room: roomOf(from),
      target: to.startsWith('.') ? roomOf(relative(root, resolve(root, dirname(from), to))) : undefined,
    }));
  });
}

test('C-02: the top level holds what it should', () => {
  const wanted = ['package.json', 'tsconfig.json', 'src', 'collectors', 'assertions', 'fixtures', 'deploy', 'test'];
  expect(wanted.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test('no room imports upward', () => {
  const wrong = imports()
    .filter(({ room, target }) => target !== undefined && target !== room && allowed[room] !== undefined)
    .filter(({ room, target }) => !allowed[room]?.includes(target ?? ''));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('every room has a rule', () => {
  const rooms = new Set(imports().map(({ room }) => room));
  expect([...rooms].filter((room) => !['cli', 'door'].includes(room) && allowed[room] === undefined)).toEqual([]);
});

test('undici and commander stay in their rooms', () => {
  const wrong = imports().filter(
    ({ to, room }) => packagesOnlyIn[to] !== undefined && !packagesOnlyIn[to]?.includes(room),
  );
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('assertions are pure: no node module, nor in what they import of faults', () => {
  const all = imports();
  const reached = new Set(sources('assertions'));
  for (const from of reached) {
    for (const { to } of all.filter((each) => each.from === from && each.to.startsWith('.'))) {
      const file = relative(root, resolve(root, dirname(from), to));
      if (file.startsWith('src/faults/')) reached.add(file);
    }
  }
  const wrong = all.filter(({ from, to }) => reached.has(from) && (to.startsWith('node:') || to.startsWith('@')));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  expect([...reached].some((file) => file.startsWith('src/faults/recovery/'))).toBe(true);
});

test('no file reaches itself by its imports, not even by types', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports()) {
    if (to.startsWith('.')) next.set(from, [...(next.get(from) ?? []), join(dirname(from), to)]);
  }
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  expect(circles).toEqual([]);
  expect(done.size).toBeGreaterThan(500);
});

test('no file name says nothing', () => {
  const names = ['src', 'collectors', 'assertions', 'test'].flatMap(sources);
  const bad = names.filter((name) => /(^|\/)(utils?|helpers?|common|misc|types|constants)(\.|\/)/.test(name));
  expect(bad).toEqual([]);
});
