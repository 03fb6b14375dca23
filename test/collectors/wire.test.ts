import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { plainSpan } from './plain-span.ts';
import { countsOf, type ReadAll, readAll } from './read-all.ts';

/** All that verdicts can rest on, in order of trace id. */
function content({ traces }: ReadAll): unknown {
  return [...traces]
    .sort((a, b) => (a.trace.traceId < b.trace.traceId ? -1 : 1))
    .map(({ trace, completeness }) => ({
      id: trace.traceId,
      rows: trace.rows,
      duplicates: trace.duplicates,
      spans: trace.spans.map(plainSpan),
      completeness,
    }));
}

if (sharedCases === undefined) test.skip(`recorded answers and files: ${withoutSharedCases}`, () => {});
else {
  const wire = join(sharedCases, 'wire');

  describe('files of a real collector', () => {
    const files = readdirSync(join(wire, 'collector')).sort();
    const formats: Record<string, string> = {
      'traces-framed.json.zst': 'otlp-json-lines+zstd-framed',
      'traces-framed.proto.zst': 'otlp-protobuf-framed+zstd-framed',
      'traces-native.json.zst': 'otlp-json-lines+zstd',
      'traces-native.proto.zst': 'otlp-protobuf-framed+zstd',
      'traces.jsonl': 'otlp-json-lines',
      'traces.proto': 'otlp-protobuf-framed',
    };

    test('are six', () => expect(files).toEqual(Object.keys(formats)));

    test.each(files)('%s reads like the others', async (file) => {
      const reference = await readAll({ inputs: [join(wire, 'collector', 'traces.jsonl')] });
      for (const options of [{}, { twoPassesAboveBytes: 0 }]) {
        const all = await readAll({ inputs: [join(wire, 'collector', file)], ...options });
        expect(content(all)).toEqual(content(reference));
        expect(all.inputs[0]).toMatchObject({ format: formats[file], rows: 75, spans: 72 });
        expect(countsOf(all)).toMatchObject({ traces: 11, rows: 75 });
      }
    });
  });

  describe('answers that people save', () => {
    const read = (...path: string[]): Promise<ReadAll> => readAll({ inputs: [join(wire, ...path)] });

    test.each([
      ['tempo-too-large/byid-v2-json.body.json', 'too-large'],
      ['tempo-small/byid-v2-big-later-json.body.json', 'pruned'],
      ['tempo-small/byid-v2-big-later-nopruning-json.body.json', undefined],
      ['tempo-small/byid-v1-big-later-json.body.json', undefined],
      ['tempo-too-large/byid-v2-pb.body.pb', 'too-large'],
      ['tempo-small/byid-v2-big-later-pb.body.pb', 'pruned'],
      ['tempo-small/byid-v2-big-later-nopruning-pb.body.pb', undefined],
    ])('%s: %s', async (file, says) => {
      const { traces } = await read(file);
      expect(traces.map(({ facts }) => [facts.remote, facts.serverSays])).toEqual([[true, says]]);
      expect(traces[0]?.completeness.state).toBe(says ?? 'settled');
    });

    test('a value that Tempo cut is a named loss, one that it did not cut is none', async () => {
      const folders = ['tempo-stock', 'tempo-quick'];
      const losses: Record<string, readonly string[]> = {};
      for (const folder of folders) {
        const file = readdirSync(join(wire, folder)).find((name) => /longattr.*json\.body\.json$/.test(name)) ?? '';
        losses[folder] = (await read(folder, file)).traces[0]?.facts.losses ?? ['no trace'];
      }
      expect(losses['tempo-stock']).toEqual([
        expect.stringMatching(/^attribute gen_ai\.input\.messages of [0-9a-f]{16} cut at 2048 bytes$/),
      ]);
      expect(losses['tempo-quick']).toEqual([]);
    });

    test.each(['agent', 'duplicate', 'leadingzero', 'several', 'sharedid', 'tworoots', 'longattr'])(
      'Jaeger gives %s alike in v1 and v3, but for the digits below a microsecond',
      async (name) => {
        const v1 = await read('jaeger', `v1-byid-${name}.body.json`);
        const named = readdirSync(join(wire, 'jaeger')).includes(`v3-byid-${name}.body.txt`);
        if (!named) return;
        const v3 = await read('jaeger', `v3-byid-${name}.body.txt`);
        const shape = (all: ReadAll): unknown =>
          all.traces.map(({ trace }) => [
            trace.traceId,
            trace.rows,
            trace.duplicates,
            trace.orphans,
            trace.spans
              .map(({ spanId, parentSpanId, name, kind, status, traceState, resource, scope }) => [
                spanId,
                parentSpanId,
                name,
                kind,
                status,
                traceState,
                [...resource.attributes].sort(),
                scope.name,
                scope.version,
              ])
              .sort(),
          ]);
        expect(shape(v1)).toEqual(shape(v3));
        expect(v1.inputs[0]?.format).toBe('jaeger-json');
        expect(v3.inputs[0]?.format).toBe('jaeger-v3-json');
        expect(v1.traces[0]?.facts).toMatchObject({
          remote: true,
          losses: expect.arrayContaining(['times in microseconds (Jaeger JSON)']),
        });
      },
    );
  });
}
