import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otlpFileCollector } from '../../collectors/otlp-file.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import { leftBehindBy } from './left-behind-by.ts';
import { line, logLine, request, traceIdOf } from './otlp-lines.ts';
import { type ReadAll, readAll } from './read-all.ts';
import { framed, skippableFrame, zstdBomb, zstdFrame } from './zstd-by-hand.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otlp-file-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(content: string | Uint8Array, name = `f${files}`): string {
  files += 1;
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const passes = [
  ['at once', {}],
  ['in two passes', { twoPassesAboveBytes: 0 }],
] as const;

/** `trace spans/rows state` of each, in order of trace id. */
function told({ traces }: ReadAll): string[] {
  return traces
    .map(({ trace, completeness }) => `${trace.traceId[0]} ${trace.spans.length}/${trace.rows} ${completeness.state}`)
    .sort();
}

const a1 = line({ trace: 'a', span: 1 });
const a2 = line({ trace: 'a', span: 2, parent: 1 });
const b1 = line({ trace: 'b', span: 1 });
const two = `${a1}\n${a2}\n`;

describe.each(passes)('read %s', (_how, options) => {
  const read = (content: string | Uint8Array): Promise<ReadAll> => readAll({ inputs: [file(content)], ...options });

  test.each([
    ['lines', two, 'otlp-json-lines'],
    ['a last line without a line end', `${a1}\n${a2}`, 'otlp-json-lines'],
    ['a byte order mark and CRLF', `\uFEFF${a1}\r\n${a2}\r\n`, 'otlp-json-lines'],
    ['blank lines', `\n\n${a1}\n \n\t\n${a2}\n\n`, 'otlp-json-lines'],
    ['one object', line({ trace: 'a', span: 1 }, { trace: 'a', span: 2, parent: 1 }), 'otlp-json'],
    [
      'an object over many lines',
      JSON.stringify(request({ trace: 'a', span: 1 }, { trace: 'a', span: 2, parent: 1 }), null, 2),
      'otlp-json',
    ],
    ['a list', `[${a1},\n${a2}]`, 'otlp-json-array'],
    ['a list over many lines', JSON.stringify([JSON.parse(a1), JSON.parse(a2)], null, 1), 'otlp-json-array'],
    ['objects side by side', `${a1}${a2}`, 'otlp-json-lines'],
    ['objects side by side on a later line', `${a1}\n${a2}${a2}\n`, 'otlp-json-lines'],
    [
      'an object over many lines behind a line',
      `${a1}\n${JSON.stringify(JSON.parse(a2), null, 2)}\n`,
      'otlp-json-lines',
    ],
    ['a JSON text sequence', `\u001e${a1}\n\u001e${a2}\n`, 'otlp-json-lines'],
    ['bare ResourceSpans', two.replaceAll(/\{"resourceSpans":\[(.*)\]\}/g, '$1'), 'resource-spans-json-lines'],
    ['gzip', gzipSync(two), 'otlp-json-lines+gzip'],
    ['gzip of several members', Buffer.concat([gzipSync(`${a1}\n`), gzipSync(`${a2}\n`)]), 'otlp-json-lines+gzip'],
    ['zstd', zstdFrame(Buffer.from(two)), 'otlp-json-lines+zstd'],
    [
      'zstd of several frames',
      Buffer.concat([
        zstdFrame(Buffer.from(`${a1}\n`), { checksum: true }),
        skippableFrame(Buffer.from('aside')),
        zstdFrame(Buffer.from(`${a2}\n`)),
      ]),
      'otlp-json-lines+zstd',
    ],
    [
      'zstd with lengths',
      Buffer.concat([framed(zstdFrame(Buffer.from(a1))), framed(zstdFrame(Buffer.from(a2)))]),
      'otlp-json-lines+zstd-framed',
    ],
  ])('%s', async (_what, content, format) => {
    const all = await read(content);
    expect(all.traces.map(({ trace }) => [trace.traceId, trace.spans.map((span) => span.name)])).toEqual([
      [traceIdOf('a'), ['span 1', 'span 2']],
    ]);
    expect(all.traces[0]?.completeness.state).toBe('settled');
    expect(all.inputs.map((input) => [input.format, input.spans, input.problems])).toEqual([[format, 2, []]]);
  });

  test('YAML, whose ids may look like numbers', async () => {
    const yaml = [
      'resourceSpans:',
      '  - scopeSpans:',
      '      - spans:',
      '          - traceId: 00000000000000000000000000000012',
      '            spanId: 12345678901234e5',
      '            name: "1"',
      '            kind: 3',
      '            startTimeUnixNano: 1760000000123456789',
      '            endTimeUnixNano: "1760000000123456790"',
      '            attributes:',
      '              - { key: n, value: { intValue: 9007199254740993 } }',
      '              - { key: yes, value: { boolValue: true } }',
      '---',
      'resourceSpans: []',
    ].join('\n');
    const all = await read(yaml);
    const [span] = all.traces[0]?.trace.spans ?? [];
    expect(span).toMatchObject({
      traceId: '00000000000000000000000000000012',
      spanId: '12345678901234e5',
      kind: 'client',
      startUnixNano: 1_760_000_000_123_456_789n,
      endUnixNano: 1_760_000_000_123_456_790n,
    });
    expect(span?.attributes.get('n')).toBe(9_007_199_254_740_993n);
    expect(span?.attributes.get('yes')).toBe(true);
    expect(all.inputs[0]?.format).toBe('otlp-yaml');
  });

  test('signals in one file: logs are joined, or kept as loose, metrics counted', async () => {
    const metrics = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm' }] }] }] });
    const all = await read([logLine('a', 1), metrics, a1, logLine('', 0), logLine('c', 1), ''].join('\n'));
    expect(told(all)).toEqual(['a 1/1 settled']);
    expect(all.traces[0]?.trace.logs.map((log) => log.spanId)).toEqual(['0000000000000001']);
    expect(all.looseLogs.map((log) => log.traceId)).toEqual(['', traceIdOf('c')]);
    expect(all.inputs[0]).toMatchObject({ format: 'otlp-json-lines', rows: 1, problems: [] });
  });

  test.each([
    ['in a text', a2.slice(0, a2.indexOf('span 2') + 3)],
    ['between brackets', a2.slice(0, -4)],
    ['behind a bracket', a2.slice(0, -1)],
    ['behind a line end that was written all the same', `${a2.slice(0, -1)}\n`],
  ])('a last line that is cut %s breaks the traces of its file', async (_where, cut) => {
    const all = await read(`${b1}\n${a1}\n${cut}`);
    expect(told(all)).toEqual(['a 1/1 broken', 'b 1/1 broken']);
    expect(all.inputs[0]?.problems).toEqual([
      { code: 'cut-off', message: 'the last line ends before its JSON does: it was cut off', at: 'line 3' },
    ]);
  });

  test('a list that is cut', async () => {
    const all = await read(`[${a1},\n${b1},\n${a2.slice(0, 40)}`);
    expect(told(all)).toEqual(['a 1/1 broken', 'b 1/1 broken']);
    expect(all.inputs[0]?.problems).toEqual([
      { code: 'cut-off', message: 'the last document ends before its JSON does: it was cut off', at: 'line 3' },
    ]);
  });

  test('a cut frame', async () => {
    const frames = Buffer.concat([framed(zstdFrame(Buffer.from(a1))), framed(zstdFrame(Buffer.from(a2)))]);
    const all = await read(frames.subarray(0, frames.length - 5));
    expect(told(all)).toEqual(['a 1/1 broken']);
    expect(all.inputs[0]?.problems.map(({ code }) => code)).toEqual(['cut-off']);
  });

  test('NUL bytes between lines are named, and something may be lost', async () => {
    const all = await read(`${a1}\n${'\0'.repeat(50)}${a2}\n`);
    expect(told(all)).toEqual(['a 2/2 broken']);
    expect(all.inputs[0]?.problems).toEqual([
      { code: 'nul-bytes', message: 'expected JSON, got 50 NUL bytes: what stood there is lost', at: 'line 2' },
    ]);
  });

  test('rows without readable ids may belong to any trace of their file', async () => {
    const all = await read(`${b1}\n${a1}\n${a2.replace(traceIdOf('a'), 'a1')}\n`);
    expect(told(all)).toEqual(['a 1/1 broken', 'b 1/1 broken']);
    expect(all.inputs[0]).toMatchObject({ rows: 2, problems: [{ code: 'bad-trace-id' }] });
  });

  test.each([
    [
      'a broken line amid others',
      `${a1}\n${a2.slice(0, 60)}\n${b1}\n`,
      /line 2 ends before its JSON does, and other lines follow: the file is damaged$/,
    ],
    [
      'other text amid lines',
      `${a1}\nhello\n${a2}\n`,
      /^expected a JSON value, got another character \(.*, line 2, column 1\)$/,
    ],
    [
      'a line that is no trace',
      `${a1}\n{"messages":[]}\n`,
      /, line 2 is a chat transcript \(messages\); expected OTLP/,
    ],
    ['an object that is cut', a1.slice(0, 100), /\(was it cut off\?\) \(.*, line 1, column \d+\)$/],
    [
      'text between objects',
      `{\n"resourceSpans":[]}, {`,
      /, line 2: expected a JSON object, got something else between the objects$/,
    ],
    ['an empty list', ' [ ] ', / is an empty JSON list; expected OTLP/],
  ])('refused: %s', async (_what, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'OTEL_EVAL_NOT_A_TRACE',
      message: expect.stringMatching(message),
    });
  });

  test('traces that share a run id come in one group, wherever they stand', async () => {
    const lines = [
      line({ trace: 'a', span: 1, run: 'r1' }, { trace: 'b', span: 1, run: 'r2' }),
      line({ trace: 'c', span: 1, run: 'r3' }),
      line({ trace: 'd', span: 1, run: 'r1' }),
      line({ trace: 'e', span: 1 }),
      line({ trace: 'b', span: 2, parent: 1, run: 'r4' }),
      line({ trace: 'f', span: 1, run: 'r4' }),
    ];
    const all = await read(`${lines.join('\n')}\n`);
    const groups = all.groups.map((group) => group.map(({ trace }) => trace.traceId[0]).join('')).sort();
    expect(groups).toEqual(['ad', 'bf', 'c', 'e']);
  });
});

test('in two passes a group comes as soon as it is whole', async () => {
  const path = file(`${[a1, b1, a2, line({ trace: 'c', span: 1 })].join('\n')}\n`);
  const all = await readAll({ inputs: [path], twoPassesAboveBytes: 0 });
  expect(all.groups.map((group) => group.map(({ trace }) => trace.traceId[0]).join(''))).toEqual(['b', 'a', 'c']);
});

test('what is packed and unpacks to more than is read at once is read in two passes', async () => {
  const lines = Array.from({ length: 200 }, (_, i) => line({ trace: 'a', span: i + 1, padding: 200 }));
  const all = await readAll({ inputs: [file(gzipSync(lines.join('\n')))], twoPassesAboveBytes: 10_000 });
  expect(told(all)).toEqual(['a 200/200 settled']);
  expect(all.inputs[0]?.rows).toBe(200);
});

describe('several inputs', () => {
  test('one trace over many files, each file once', async () => {
    const paths = [file(`${a1}\n`, 'many/one.jsonl'), file(gzipSync(`${a2}\n`), 'many/two.jsonl.gz')];
    for (const inputs of [paths, [join(folder, 'many/*')], [join(folder, 'many')], [...paths, join(folder, 'many')]]) {
      for (const [, options] of passes) {
        const all = await readAll({ inputs, ...options });
        expect(told(all)).toEqual(['a 2/2 settled']);
        expect(all.inputs.map(({ input, spans }) => [input, spans])).toEqual(paths.map((path) => [path, 1]));
      }
    }
  });

  test('a folder is read for the trace files in it, and tells what it passed over', async () => {
    file(two, 'mixed/a.jsonl');
    file('# notes\n', 'mixed/README.md');
    file('{"name":"x","version":"1","dependencies":{}}', 'mixed/package.json');
    file('', 'mixed/z-empty.jsonl');
    file('junk', 'mixed/.hidden');
    file(b1, 'mixed/below/b.jsonl');
    const all = await readAll({ inputs: [join(folder, 'mixed')] });
    expect(told(all)).toEqual(['a 2/2 settled']);
    expect(
      all.inputs.map(({ input, format, problems }) => [
        input.slice(folder.length),
        format,
        ...problems.map(({ code, message }) => `${code}: ${message}`),
      ]),
    ).toEqual([
      ['/mixed/a.jsonl', 'otlp-json-lines'],
      ['/mixed/README.md', 'not-a-trace', 'not-a-trace: it is text, but neither JSON nor YAML of a trace, no trace'],
      ['/mixed/package.json', 'not-a-trace', 'not-a-trace: it is a package.json, no trace'],
      ['/mixed/z-empty.jsonl', 'not-a-trace', 'empty-input: it is empty, no trace'],
    ]);
  });

  describe('a file that cannot be read where a trace is expected is an error, not passed over', () => {
    const other = Buffer.concat([Buffer.from([1, 2, 3]), Buffer.from(two)]);
    test.each([
      ['UTF-16', 'b.jsonl', Buffer.from(`\uFEFF${two}`, 'utf16le'), '', 'text in UTF-16, not in UTF-8'],
      ['bytes before the JSON', 'b.json', other, '', 'binary data of another kind'],
      ['binary data, whatever its name', 'b.dat', other, '', 'binary data of another kind'],
      [
        'text under the name of a trace',
        'b.jsonl',
        Buffer.from('hello\n'),
        '',
        'text, but neither JSON nor YAML of a trace',
      ],
      [
        'text that a glob names by its ending',
        'b.txt',
        Buffer.from('hello\n'),
        '*.*',
        'text, but neither JSON nor YAML of a trace',
      ],
      [
        'spans of another kind',
        'b.json',
        Buffer.from('[{"run_type":"llm","dotted_order":"1"}]'),
        '',
        'a LangSmith run',
      ],
    ])('%s', async (_, name, bytes, glob, what) => {
      const below = `odd-${name}-${bytes.length}-${glob.length}`;
      file(two, `${below}/a.jsonl`);
      const path = file(bytes, `${below}/${name}`);
      await expect(readAll({ inputs: [join(folder, below, glob)] })).rejects.toMatchObject({
        code: 'OTEL_EVAL_NOT_A_TRACE',
        message: `${path} is ${what}; expected OTLP (JSON, YAML or protobuf), an answer of Tempo, or Jaeger JSON`,
      });
    });
  });

  test('a damaged trace file in a folder is an error, not passed over', async () => {
    file(two, 'damaged/a.jsonl');
    file(gzipSync(two).subarray(0, 40), 'damaged/b.jsonl.gz');
    await expect(readAll({ inputs: [join(folder, 'damaged')] })).rejects.toMatchObject({
      code: 'OTEL_EVAL_NOT_A_TRACE',
      message: `${join(folder, 'damaged/b.jsonl.gz')} is gzip and ends before its data does: it was cut off`,
    });
  });

  test('the copy that a backend changed is no conflict with the one that no backend wrote', async () => {
    const changed = JSON.parse(a1.replace('"span 1"', '"span 1"').replace('"kind":1', '"kind":"SPAN_KIND_CLIENT"'));
    const tempo = file(JSON.stringify({ batches: changed.resourceSpans }), 'copies/tempo.json');
    const plain = file(two, 'copies/plain.jsonl');
    const all = await readAll({ inputs: [tempo, plain] });
    expect(all.traces[0]?.trace.duplicates).toEqual([]);
    expect(all.traces[0]?.trace.spans.map((span) => span.kind)).toEqual(['internal', 'internal']);
    expect(all.traces[0]?.facts.remote).toBe(true);
  });
});

describe('standard input and pipes', () => {
  async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield Buffer.from(text);
  }

  test('standard input is kept on the disk and leaves nothing behind', async () => {
    const left = await leftBehindBy(async () => {
      const collector = otlpFileCollector({ inputs: ['-'], stdin: chunks(two.slice(0, 100), two.slice(100)) });
      const collection = await collector.collect();
      const groups: (readonly CollectedTrace[])[] = [];
      for await (const group of collection.groups()) groups.push(group);
      for await (const group of collection.groups()) groups.push(group);
      expect(groups.map((group) => group[0]?.trace.spans.length)).toEqual([2, 2]);
      expect(collection.source).toEqual({ kind: 'file', address: 'stdin' });
      expect(collection.inputs()[0]?.input).toBe('stdin');
      await collector.close();
      await collector.close();
    });
    expect(left).toEqual([]);
  });

  test('an abort ends the wait for it, and leaves nothing behind', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(a1);
      await new Promise(() => {});
    }
    const left = await leftBehindBy(async () => {
      const abort = new AbortController();
      const collector = otlpFileCollector({ inputs: ['-'], stdin: endless() });
      const collecting = collector.collect(abort.signal);
      setImmediate(() => abort.abort(new Error('enough')));
      await expect(collecting).rejects.toThrow('enough');
      await collector.close();
    });
    expect(left).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('a named pipe is read once and kept', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writing = import('node:fs/promises').then(({ writeFile }) => writeFile(pipe, two));
    const all = await readAll({ inputs: [pipe], twoPassesAboveBytes: 0 });
    await writing;
    expect(told(all)).toEqual(['a 2/2 settled']);
  });
});

describe('errors are answers', () => {
  const failing = (input: string): Promise<unknown> => readAll({ inputs: [input] });

  test('what is not there', async () => {
    const gone = join(folder, 'gone.jsonl');
    await expect(failing(gone)).rejects.toMatchObject({
      code: 'OTEL_EVAL_IO',
      message: `cannot read ${gone}: no such file or folder`,
    });
    const glob = join(folder, 'gone-*.jsonl');
    await expect(failing(glob)).rejects.toMatchObject({ code: 'OTEL_EVAL_IO', message: `no file matches ${glob}` });
    await expect(readAll({ inputs: [] })).rejects.toMatchObject({ code: 'OTEL_EVAL_USAGE' });
    await expect(failing('/dev/null')).rejects.toMatchObject({
      code: 'OTEL_EVAL_IO',
      message: 'cannot read /dev/null: expected a file, a folder or a pipe',
    });
  });

  test('folders without a trace', async () => {
    const empty = join(folder, 'nothing');
    mkdirSync(join(empty, 'below'), { recursive: true });
    await expect(failing(empty)).rejects.toMatchObject({
      code: 'OTEL_EVAL_NOT_A_TRACE',
      message: `the folder ${empty} holds no file: expected trace files in it`,
    });
    file('{"messages":[]}', 'others/a.json');
    file('text', 'others/b.txt');
    const others = join(folder, 'others');
    await expect(failing(others)).rejects.toMatchObject({
      code: 'OTEL_EVAL_NOT_A_TRACE',
      message: `no trace file in ${others}: none of its 2 files is a trace`,
    });
  });

  test.skipIf(process.getuid?.() !== 0)('a file that another user may not read', async () => {
    const path = file(two);
    execFileSync('chmod', ['600', path]);
    execFileSync('chmod', ['755', folder]);
    await readAll({ inputs: [path] });
    process.seteuid?.(65_534);
    try {
      await expect(failing(path)).rejects.toMatchObject({
        code: 'OTEL_EVAL_IO',
        message: `cannot read ${path}: permission denied`,
      });
    } finally {
      process.seteuid?.(0);
    }
  });

  const deep = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${traceIdOf('a')}","spanId":"000000000000000a","attributes":[{"key":"k","value":${'{"arrayValue":{"values":['.repeat(200)}${']}}'.repeat(200)}}]}]}]}]}`;
  const huge = Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from('0a100a0e0a0c', 'hex')]);
  test.each([
    ['an empty file', '', 'OTEL_EVAL_NOT_A_TRACE', / is empty; expected OTLP/],
    ['a blank file', ' \n\0\0\n', 'OTEL_EVAL_NOT_A_TRACE', / is blank \(white space or NUL bytes only\); expected/],
    [
      'binary junk',
      Buffer.from([1, 2, 3, 4, 0xde, 0xad, 0xbe, 0xef, 0, 0]),
      'OTEL_EVAL_NOT_A_TRACE',
      / is binary data of another kind; expected/,
    ],
    ['a nesting of 200 levels', deep, 'OTEL_EVAL_TOO_LARGE', /^a value is nested deeper than 100 levels \(/],
    [
      'a nesting of 100,000 levels',
      `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
      'OTEL_EVAL_TOO_LARGE',
      /^JSON nested deeper than 1000 levels \(/,
    ],
    [
      'a truncated gzip',
      gzipSync(two).subarray(0, 60),
      'OTEL_EVAL_NOT_A_TRACE',
      / is gzip and ends before its data does: it was cut off$/,
    ],
    [
      'a damaged gzip',
      Buffer.concat([gzipSync(two).subarray(0, 12), Buffer.alloc(40, 7)]),
      'OTEL_EVAL_NOT_A_TRACE',
      / begins as gzip and its data is damaged$/,
    ],
    [
      'bytes behind a gzip',
      Buffer.concat([gzipSync(two), Buffer.from(b1)]),
      'OTEL_EVAL_NOT_A_TRACE',
      / begins as gzip and its data is damaged$/,
    ],
    [
      'zeros behind a gzip',
      Buffer.concat([gzipSync(two), Buffer.alloc(9)]),
      'OTEL_EVAL_NOT_A_TRACE',
      / holds other bytes behind its gzip data$/,
    ],
    [
      'a truncated zstd',
      zstdFrame(Buffer.from(two)).subarray(0, 60),
      'OTEL_EVAL_NOT_A_TRACE',
      / is zstd and ends before its data does: it was cut off$/,
    ],
    [
      'bytes behind a zstd',
      Buffer.concat([zstdFrame(Buffer.from(two)), Buffer.from(b1)]),
      'OTEL_EVAL_NOT_A_TRACE',
      / begins as zstd and its data is damaged$/,
    ],
    [
      'a zstd that wants a window of 1 GiB',
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 20 << 3, 1, 0, 0]),
      'OTEL_EVAL_TOO_LARGE',
      / is zstd that needs a window of more than 128 MiB$/,
    ],
    ['an HTML page', '<!DOCTYPE html><html></html>', 'OTEL_EVAL_NOT_A_TRACE', / is an HTML page; expected/],
    ['a ZIP archive', 'PK\u0003\u0004....', 'OTEL_EVAL_NOT_A_TRACE', / is a ZIP archive; expected/],
    [
      'UTF-16',
      Buffer.from(`\uFEFF${a1}`, 'utf16le'),
      'OTEL_EVAL_NOT_A_TRACE',
      / is text in UTF-16, not in UTF-8; expected/,
    ],
    [
      'numbers',
      '[1,2]',
      'OTEL_EVAL_NOT_A_TRACE',
      /, line 1: expected a JSON object, got something else between the objects$/,
    ],
    [
      'YAML that is damaged',
      'resourceSpans:\n  - a: [\n',
      'OTEL_EVAL_NOT_A_TRACE',
      /: expected OTLP as YAML, got YAML that cannot be read$/,
    ],
  ] as const)('%s', async (_what, content, code, message) => {
    await expect(failing(file(content))).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test.each([
    [
      'gzip that is one endless document',
      gzipSync(`{"resourceSpans":[${' '.repeat(3_000_000)}`),
      / document of more than 1000000 bytes: more than is read at once$/,
    ],
    [
      'gzip that is one endless line',
      gzipSync(`${a1}\n{"resourceSpans":"${' '.repeat(3_000_000)}`),
      /, line 2: longer than 1000000 bytes: more than is read at once$/,
    ],
    [
      'gzip of blank lines',
      gzipSync(`${a1}${'\n'.repeat(9_000_000)}`),
      / unpacks to more than 8000000 bytes, more than is read$/,
    ],
    [
      'zstd of blank lines',
      Buffer.concat([zstdFrame(Buffer.from(a1)), zstdBomb(70, 10)]),
      / unpacks to more than 8000000 bytes, more than is read$/,
    ],
    ['zstd in one frame', framed(zstdBomb(70)), / holds a frame that unpacks to more than 1000000 bytes$/],
    [
      'a frame of 4 GB',
      Buffer.concat([framed(zstdFrame(Buffer.from(a1))), Buffer.from([255, 255, 255, 255])]),
      / holds a frame of 4294967295 bytes, more than is read at once$/,
    ],
    ['a message of 4 GB', huge, / a message of 4294967295 bytes: more than is read at once$/],
  ])('a bomb: %s', async (_what, content, message) => {
    const limits = { largestDocumentBytes: 1_000_000, largestUnpackedBytes: 8_000_000 };
    await expect(readAll({ inputs: [file(content)], ...limits })).rejects.toMatchObject({
      code: 'OTEL_EVAL_TOO_LARGE',
      message: expect.stringMatching(message),
    });
  });

  test('an error holds nothing of what it refuses', async () => {
    const secret = 'please refund my order';
    for (const content of [
      `{"${secret}":"${secret}"}`,
      `[{"${secret}":1}]`,
      `{"a": ${secret}}`,
      `${a1}\n${secret}\n`,
      secret,
    ]) {
      const error = await failing(file(content)).catch((caught: unknown) => caught);
      expect(String(error)).not.toContain('refund');
      expect(JSON.stringify(error)).not.toContain('refund');
    }
  });
});

test('groups can be read again, and existing files stay', async () => {
  const path = file(two);
  const collector = otlpFileCollector({ inputs: [path] });
  const collection = await collector.collect();
  for (let i = 0; i < 2; i += 1) {
    let spans = 0;
    for await (const [only] of collection.groups()) spans += only?.trace.spans.length ?? 0;
    expect([spans, collection.inputs()[0]?.spans]).toEqual([2, 2]);
  }
  await collector.close();
  expect(existsSync(path)).toBe(true);
});
