import { type AttributeShape, noAttributes, ShapedAttributes, type ShapeNode } from './attribute-shape.ts';
import type { AttributeValue } from './attributes.ts';
import { flatCopy, JsonText } from './json-text.ts';
import { OtlpReading } from './otlp-reading.ts';
import type { SpanRecord } from './span-record.ts';

/** Where a reading of spans from text stands. */
export class SpanText extends JsonText {
  /** For members whose reading may find problems: where it does, the span is read in the general way, which names them. */
  trial: OtlpReading;
  /** The step whose lead was stepped over already. */
  ahead: TemplateStep | undefined = undefined;
  private readonly values: AttributeValue[] = [];
  private count = 0;

  constructor(text: string, trial: OtlpReading) {
    super(text);
    this.trial = trial;
  }

  /** Back to the start of a span that could not be read. */
  restart(from: number): void {
    this.at = from;
    this.ahead = undefined;
    if (this.isInTrouble) this.trial = new OtlpReading(this.trial.options);
  }

  get isInTrouble(): boolean {
    return this.trial.problems.length > 0 || this.trial.needsExact;
  }

  startAttributes(): void {
    this.count = 0;
  }

  addAttribute(value: AttributeValue): void {
    this.values[this.count] = value;
    this.count += 1;
  }

  attributes(shape: AttributeShape): ShapedAttributes | typeof noAttributes {
    return this.count === 0 ? noAttributes : new ShapedAttributes(shape, this.values.slice(0, this.count));
  }
}

/** Reads the value that starts here into the span. False where it is not the usual one. */
export type ValueReader = (at: SpanText, step: TemplateStep, span: SpanRecord) => boolean;

/** A value that had so many different texts in a row holds an id or the like. */
const mostMisses = 8;
/** More ways to go on than spans of one source have. */
const mostBranches = 32;

/**
 * One value of a span, and the text that leads to it from the value before: punctuation, member names, attribute keys.
 * From a given step the same text leads to the same value, so it need not be understood a second time.
 */
export class TemplateStep {
  readonly lead: string;
  readonly read: ValueReader;
  /** The span ends with this text. */
  readonly isLast: boolean;
  /** The keys up to here. */
  readonly keys: ShapeNode;
  private likely: TemplateStep | undefined = undefined;
  private readonly others: TemplateStep[] = [];
  /** The text of this value last time with the character after it, and what it meant: often the same again. */
  lastText = '';
  lastValue: unknown = undefined;
  /** Values that are written as they read: no escape, and nothing that would need one. */
  readonly plainTexts: Map<string, string> = new Map();
  private lastCode = -1;
  /** That text and the lead after it, once both came again. */
  private onward = '';
  private misses = 0;

  constructor(lead: string, read: ValueReader, keys: ShapeNode, isLast: boolean) {
    this.lead = lead;
    this.read = read;
    this.keys = keys;
    this.isLast = isLast;
  }

  /** Goes on to the next value. */
  next(at: SpanText): TemplateStep | undefined {
    const { ahead } = at;
    if (ahead !== undefined) {
      at.ahead = undefined;
      return ahead;
    }
    const { likely } = this;
    if (likely !== undefined && at.takeText(likely.lead)) {
      if (this.onward === '' && this.isRepeated) this.onward = flatCopy(this.lastText.slice(0, -1) + likely.lead);
      return likely;
    }
    this.onward = '';
    this.likely = this.others.find((other) => other !== likely && at.takeText(other.lead));
    return this.likely;
  }

  after(lead: string): TemplateStep | undefined {
    return this.others.find((other) => other.lead === lead);
  }

  /** False where there are too many ways to go on. */
  add(step: TemplateStep): boolean {
    return this.others.length < mostBranches && this.others.push(step) > 0;
  }

  /** Steps over the value, if its text is the same as last time; where what follows is so too, over that in one go. */
  takeLast(at: SpanText): boolean {
    const { lastText, onward } = this;
    const end = at.at + lastText.length - 1;
    if (!this.mayRepeat || at.text.charCodeAt(end) !== this.lastCode) return false;
    if (onward !== '' && at.takeText(onward)) at.ahead = this.likely;
    else if (at.takeText(lastText)) at.at = end;
    else return false;
    this.misses = 0;
    return true;
  }

  private get isRepeated(): boolean {
    return this.lastText !== '' && this.misses === 0;
  }

  /** False for a value that is never the same again. */
  get mayRepeat(): boolean {
    return this.misses <= mostMisses;
  }

  /** @param text no slice of the line, which would be kept with it */
  remember(text: string, value: unknown): void {
    this.misses += 1;
    this.onward = '';
    this.lastText = text;
    this.lastCode = text.charCodeAt(text.length - 1);
    this.lastValue = value;
  }
}
