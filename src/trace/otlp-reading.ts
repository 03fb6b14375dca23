import { ShapeTree } from './attribute-shape.ts';
import type { LogRecord } from './log-record.ts';
import { type ErrorCode, OtelEvalError } from './otel-eval-error.ts';
import { RepeatedBytes } from './repeated-bytes.ts';
import type { Span } from './span.ts';
import type { InputProblem } from './trace-set.ts';

/** Problems listed one by one; of more only the number is told, so that a broken file of a gigabyte stays readable. */
export const mostProblems = 1_000;

/** AnyValue levels. Real data has fewer than ten; the bound keeps hostile input off the stack. */
export const deepestValue = 100;

/** Strings and key sequences that the lines of one source share. */
export class SharedStrings {
  readonly shapes: ShapeTree = new ShapeTree();
  /** Ids of the message's last span. */
  readonly traceIds: RepeatedBytes<string> = new RepeatedBytes(Number.POSITIVE_INFINITY);
  readonly parentIds: RepeatedBytes<string> = new RepeatedBytes(Number.POSITIVE_INFINITY);
  readonly #strings = new Map<string, string>();
  /** By a cheap hash of the bytes; a newer text takes the place of an older one. */
  readonly #slots: RepeatedBytes<string>[] = [];

  /** One copy of equal texts. Long ones and those beyond the bound stay as they are. */
  share(text: string): string {
    if (text.length > 64) return text;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    if (this.#strings.size < 50_000) this.#strings.set(text, text);
    return text;
  }

  /** The one copy of a text, if there is one. */
  known(text: string): string | undefined {
    return this.#strings.get(text);
  }

  /** A text that was met before as these bytes, compared and not decoded. */
  met(view: DataView, from: number, to: number): string | undefined {
    return this.#slots[slotOf(view, from, to)]?.match(view, from, to);
  }

  /** `share`, for a text that was decoded from these bytes. */
  keep(view: DataView, from: number, to: number, text: string): string {
    const kept = this.share(text);
    const slot = slotOf(view, from, to);
    this.#slots[slot] ??= new RepeatedBytes(Number.POSITIVE_INFINITY);
    this.#slots[slot].remember(view, from, to, kept);
    return kept;
  }
}

/** A cheap hash. */
function slotOf(view: DataView, from: number, to: number): number {
  const length = to - from;
  if (length === 0) return 0;
  const middle = view.getUint8(from + (length >> 1));
  return (length * 31 + view.getUint8(from) * 7 + view.getUint8(to - 1) * 13 + middle) & 255;
}

export interface DecodeOptions {
  /** File or address, for errors. */
  readonly source?: string;
  /** 1-based line of a file with one document a line; `0` or absent where there are no lines. */
  readonly line?: number;
  /** Give the same one for all lines of a source: it saves memory and time. */
  readonly shared?: SharedStrings;
}

/** What one document, line or message held. */
export interface OtlpBatch {
  /** Rows with valid ids, in order. Repeats are still in it. */
  readonly spans: readonly Span[];
  readonly logs: readonly LogRecord[];
  /** Metrics seen and not read. */
  readonly metrics: number;
  readonly problems: readonly InputProblem[];
  /** Problems beyond the bound, not in `problems`. */
  readonly moreProblems: number;
}

interface LastTexts {
  traceText: string;
  traceId: string;
  parentText: string;
  parentId: string;
  name: string;
}

/** Gathers what is read, and knows where the reading stands. */
export class OtlpReading implements OtlpBatch {
  readonly spans: Span[] = [];
  readonly logs: LogRecord[] = [];
  metrics = 0;
  readonly problems: InputProblem[] = [];
  moreProblems = 0;
  /** A number was met that `JSON.parse` may have rounded. */
  needsExact = false;
  /** Ids of the row before, as they stood in the text and as read, and its name. */
  readonly last: LastTexts = { traceText: '', traceId: '', parentText: '', parentId: '', name: '' };
  readonly shared: SharedStrings;
  readonly options: DecodeOptions;
  /** `resourceSpans[0]`, `.scopeSpans[1]`, `.spans[2]`: name and index of each level; joined only when needed. */
  readonly #names: string[] = [];
  readonly #indices: number[] = [];

  readonly #scanned: readonly (readonly unknown[])[] | undefined;

  /** @param scanned lists of spans that were read before; a document has their numbers in their places */
  constructor(options: DecodeOptions, scanned?: readonly (readonly unknown[])[]) {
    this.options = options;
    this.shared = options.shared ?? new SharedStrings();
    this.#scanned = scanned;
  }

  rowsOf(list: unknown): unknown {
    return typeof list === 'number' && this.#scanned !== undefined ? this.#scanned[list] : list;
  }

  stand(level: number, name: string, index: number): void {
    this.#names[level] = name;
    this.#indices[level] = index;
    if (this.#names.length > level + 1) this.#names.length = level + 1;
  }

  /** Back to the level above. */
  leave(level: number): void {
    this.#names.length = level;
  }

  /** `resourceSpans[0].scopeSpans[0].spans[3].traceId` */
  field(name: string): string {
    const levels = this.#names.map((level, i) => `${level}[${this.#indices[i]}]`);
    return [...levels, ...(name === '' ? [] : [name])].join('.');
  }

  problem(code: string, message: string, field: string): void {
    if (this.problems.length >= mostProblems) {
      this.moreProblems += 1;
      return;
    }
    const line = this.options.line ? `line ${this.options.line}, ` : '';
    this.problems.push({ code, message, at: `${line}${this.field(field)}` });
  }

  error(code: ErrorCode, message: string, field: string): OtelEvalError {
    const path = this.field(field);
    const where = [this.options.source, this.options.line ? `line ${this.options.line}` : '', path].filter(Boolean);
    return new OtelEvalError(code, `${message} (${where.join(', ')})`, {
      ...(this.options.source ? { source: this.options.source } : {}),
      ...(this.options.line ? { line: this.options.line } : {}),
      ...(path ? { field: path } : {}),
    });
  }
}
