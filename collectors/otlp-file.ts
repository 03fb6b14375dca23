import type { LogRecord } from '../src/trace/log-record.ts';
import { OtelEvalError } from '../src/trace/otel-eval-error.ts';
import type { CollectedTrace, Collection, Collector, InputReading } from '../src/trace/trace-set.ts';
import type { Limits } from './file/compression.ts';
import { FileInput } from './file/file-input.ts';
import { FileReading } from './file/file-reading.ts';
import { type FoundInput, findInputs } from './file/find-inputs.ts';
import { expectedForms } from './file/foreign-forms.ts';
import { passedOver } from './file/passed-over.ts';
import { StoredBytes } from './file/stored-bytes.ts';

export interface OtlpFileOptions {
  /** Files, folders (the trace files directly in them), globs, and `-` for standard input. */
  readonly inputs: readonly string[];
  /** What `-` reads; by default the standard input of the process. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Bytes of one document, line or message; by default 256 MiB. A larger one is an error. */
  readonly largestDocumentBytes?: number;
  /** Bytes that one gzip or zstd input may unpack to; by default 1 GiB, and 2,000 times its size where that is more. */
  readonly largestUnpackedBytes?: number;
  /**
   * Up to so many unpacked bytes (by default 32 MiB) all is read at once. Above, a first pass finds where each trace
   * ends, and memory is bounded by the spans of the traces that are open at once.
   */
  readonly twoPassesAboveBytes?: number;
}

/**
 * Traces from files, whatever form they are in: OTLP as JSON (one object, a list, lines), YAML or protobuf (bare or with
 * lengths), answers of Tempo, Jaeger JSON; plain, gzip or zstd. Recognised by content, never by name.
 *
 * `collect` throws an `OtelEvalError` for what is not there, cannot be read, or is no trace; `groups` for what is damaged
 * further on. `groups` may be read again; it then reads the files again.
 *
 * @example
 * const collector = otlpFileCollector({ inputs: ['traces/*.jsonl'] });
 * const collection = await collector.collect();
 * for await (const group of collection.groups()) {
 *   for (const { trace, completeness } of group) console.log(trace.traceId, trace.spans.length, completeness.state);
 * }
 * console.log(collection.inputs()); // [{ input: 'traces/a.jsonl', format: 'otlp-json-lines', rows: 12, … }]
 * await collector.close();
 */
export function otlpFileCollector(options: OtlpFileOptions): Collector {
  const stored: StoredBytes[] = [];
  return {
    async collect(signal) {
      const found = await findInputs(options.inputs);
      const opened: Opened[] = [];
      const limits: Limits = {
        document: options.largestDocumentBytes ?? 2 ** 28,
        unpacked: options.largestUnpackedBytes,
      };
      for (const input of found) {
        const bytes = await store(input, options, signal);
        stored.push(bytes);
        opened.push(await openOne(input, bytes, limits));
      }
      const inputs = opened.flatMap(({ input }) => input ?? []);
      const others = opened.flatMap((each) => each.passedOver ?? []);
      if (inputs.length === 0) throw noTrace(options.inputs, others);
      return collectionOf(new FileReading(inputs, options.twoPassesAboveBytes ?? 1 << 25), {
        options,
        passedOver: others,
      });
    },
    async close() {
      await Promise.all(stored.splice(0).map((bytes) => bytes.close()));
    },
  };
}

function store(input: FoundInput, options: OtlpFileOptions, signal?: AbortSignal): Promise<StoredBytes> {
  if (!input.pipe && input.path !== undefined) return StoredBytes.ofFile(input.path, input.label);
  return StoredBytes.ofPipe(input.path ?? options.stdin ?? process.stdin, input.label, signal);
}

interface Opened {
  readonly input?: FileInput;
  /** A file of a folder or glob that is no trace. */
  readonly passedOver?: InputReading;
}

async function openOne(found: FoundInput, bytes: StoredBytes, limits: Limits): Promise<Opened> {
  try {
    return { input: await FileInput.open(found, bytes, limits) };
  } catch (error) {
    const told = passedOver(found, error);
    if (told === undefined) throw error;
    return { passedOver: told };
  }
}

function noTrace(inputs: readonly string[], passedOver: readonly InputReading[]): OtelEvalError {
  const places = inputs.join(', ');
  const [only] = passedOver;
  if (passedOver.length === 1 && only !== undefined) {
    const message = `no trace in ${places}: ${only.input}: ${only.problems[0]?.message}; expected ${expectedForms}`;
    return new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', message, { source: places });
  }
  const message = `no trace file in ${places}: none of its ${passedOver.length} files is a trace`;
  return new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', message, { source: places });
}

interface Around {
  readonly options: OtlpFileOptions;
  readonly passedOver: readonly InputReading[];
}

function collectionOf(reading: FileReading, { options, passedOver }: Around): Collection {
  return {
    source: { kind: 'file', address: options.inputs.map((input) => (input === '-' ? 'stdin' : input)).join(', ') },
    groups: (): AsyncIterable<readonly CollectedTrace[]> => reading.groups(),
    inputs: (): readonly InputReading[] => [...reading.inputs(), ...passedOver],
    looseLogs: (): readonly LogRecord[] => reading.looseLogs,
  };
}
