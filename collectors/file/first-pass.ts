import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { ownAttributes } from '../../src/trace/own-attributes.ts';
import { bracketsOf } from './content-kind.ts';
import type { DocumentReader } from './document-reader.ts';
import type { FileInput } from './file-input.ts';
import { Lifetimes } from './lifetimes.ts';
import type { Piece } from './line-splitter.ts';
import { lostRowsOf } from './lost-rows.ts';
import { readJson } from './read-json.ts';
import { scanTraceIds } from './trace-id-scan.ts';
import type { TraceReading } from './trace-reading.ts';

const runIdKey = Buffer.from(ownAttributes.runId, 'latin1');

/**
 * Looks through all bytes for where each trace ends, so that the second pass can hand it over there and forget it.
 * Only documents that name a run are decoded, and those of the binary form. What is wrong is left to the second pass.
 */
export async function findLifetimes(inputs: readonly FileInput[], signal?: AbortSignal): Promise<FirstPass> {
  const lifetimes = new Lifetimes();
  const piecesBefore: number[] = [];
  let pieces = 0;
  for (const [index, input] of inputs.entries()) {
    piecesBefore.push(pieces);
    const { splitter, reader } = await input.readers(input.newState());
    const scan = scanOf(input, { lifetimes, index, reader });
    const look = (found: Iterable<Piece>): void => {
      for (const piece of found) {
        pieces += 1;
        scan.look(piece.bytes, pieces, piece);
      }
    };
    for await (const chunk of input.chunks(signal)) look(splitter.push(chunk));
    look(splitter.finish());
    const isLeftOpen = 'isOpen' in splitter && splitter.isOpen === true;
    const hasNulBytes = 'nulBytes' in splitter && splitter.nulBytes !== 0;
    if (isLeftOpen || hasNulBytes || scan.foundCut()) lifetimes.cut.add(index);
  }
  lifetimes.plan();
  return { lifetimes, piecesBefore };
}

export interface FirstPass {
  readonly lifetimes: Lifetimes;
  /** By number of the input: how many pieces the inputs before it hold. */
  readonly piecesBefore: readonly number[];
}

interface Around {
  readonly lifetimes: Lifetimes;
  readonly index: number;
  readonly reader: DocumentReader;
}

interface InputScan {
  look(bytes: Buffer, number: number, piece: Piece): void;
  /** Something was cut off that the splitter does not know of. */
  foundCut(): boolean;
}

function scanOf(input: FileInput, around: Around): InputScan {
  if (input.kind === 'json-lines') return new LineScan(around);
  return input.kind === 'json-values' ? new JsonScan(around) : new DecodingScan(around);
}

class JsonScan implements InputScan {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  look(bytes: Buffer, number: number): void {
    const { lifetimes, index } = this.#around;
    let isUnread = false;
    scanTraceIds(bytes, (traceId) => {
      if (traceId === undefined) isUnread = true;
      else lifetimes.seen(traceId, number);
    });
    if (!isUnread && !bytes.includes(runIdKey)) return;
    try {
      const { batch } = readJson(bytes.toString('utf8'), {});
      for (const span of batch.spans) lifetimes.runs.note(span);
      // A row of an unknown trace: it may belong to any.
      if (lostRowsOf(batch.problems).size > 0) lifetimes.cut.add(index);
    } catch {
      lifetimes.untilTheEnd = true;
    }
  }

  foundCut(): boolean {
    return false;
  }
}

/**
 * Lines also tell by the last of them whether the input was cut off. A document over several lines does not show where
 * it ends by its lines alone.
 */
class LineScan implements InputScan {
  readonly #json: JsonScan;
  readonly #lifetimes: Lifetimes;
  #last: Buffer = Buffer.alloc(1 << 16);
  #lastLength = 0;
  /** The line before is no object from its first to its last byte. */
  #isOdd = false;
  #nulBytes = false;

  constructor(around: Around) {
    this.#json = new JsonScan(around);
    this.#lifetimes = around.lifetimes;
  }

  look(bytes: Buffer, number: number): void {
    this.#json.look(bytes, number);
    if (bytes.includes(0)) this.#nulBytes = true;
    let [start, stop] = [bytes[0] === 0xef ? 3 : 0, bytes.length];
    while (stop > start && (bytes[stop - 1] ?? 0) <= 32) stop -= 1;
    while (start < stop && (bytes[start] ?? 0) <= 32) start += 1;
    if (start === stop) return;
    if (this.#isOdd) this.#lifetimes.untilTheEnd = true;
    this.#isOdd = bytes[start] !== 0x7b || bytes[stop - 1] !== 0x7d;
    if (stop > this.#last.length) this.#last = Buffer.alloc(stop * 2);
    this.#lastLength = bytes.copy(this.#last, 0, 0, stop);
  }

  foundCut(): boolean {
    if (this.#lifetimes.untilTheEnd) return this.#nulBytes;
    return this.#nulBytes || bracketsOf(this.#last.subarray(0, this.#lastLength))?.isOpen === true;
  }
}

/** Protobuf and YAML are decoded. */
class DecodingScan implements InputScan {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  look(_bytes: Buffer, number: number, piece: Piece): void {
    const { lifetimes, reader, index } = this.#around;
    for (const { batch } of readingsOf(reader, piece)) {
      for (const span of batch.spans) {
        lifetimes.seen(span.traceId, number);
        lifetimes.runs.note(span);
      }
      for (const { traceId } of batch.logs) if (traceId !== '') lifetimes.seen(traceId, number);
      if (lostRowsOf(batch.problems).size > 0) lifetimes.cut.add(index);
    }
  }

  foundCut(): boolean {
    return false;
  }
}

function readingsOf(reader: DocumentReader, piece: Piece): readonly TraceReading[] {
  try {
    return reader.read(piece);
  } catch (error) {
    if (OtelEvalError.is(error)) return [];
    throw error;
  }
}
