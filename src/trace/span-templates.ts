import type { SharedStrings } from './otlp-reading.ts';
import { SpanRecord } from './span-record.ts';
import { type SpanText, TemplateStep } from './span-template.ts';

/** More steps than the spans of one source need; content in keys would make endlessly many. */
const mostSteps = 10_000;
/** So many spans that are read in the general way are looked at. */
const mostLessons = 2_000;

/** How the spans of one source are written, as far as it has been seen. */
export class SpanTemplates {
  readonly root: TemplateStep;
  private steps = 0;
  private lessons = 0;
  private read = 0;
  private notRead = 0;

  constructor({ shapes }: SharedStrings) {
    this.root = new TemplateStep('', () => true, shapes.root, false);
  }

  /** The span that stands here, if it is written like one before; where not, `at` has moved somewhere. */
  follow(at: SpanText): SpanRecord | undefined {
    const span = new SpanRecord();
    at.startAttributes();
    let step: TemplateStep | undefined = this.root;
    while (!step.isLast) {
      step = step.next(at);
      if (step === undefined || !step.read(at, step, span)) {
        this.notRead += 1;
        return undefined;
      }
    }
    this.read += 1;
    return span;
  }

  /** False for a source whose spans are mostly written in ways that were not seen before. */
  get pays(): boolean {
    return this.notRead < 200 + this.read;
  }

  /** Whether one more span may be learnt from. */
  takeLesson(): boolean {
    this.lessons += 1;
    return this.lessons <= mostLessons;
  }

  /** The step after `step` with this lead; `undefined` where there are too many. */
  branch(step: TemplateStep, made: TemplateStep): TemplateStep | undefined {
    const known = step.after(made.lead);
    if (known !== undefined) return known;
    if (this.steps >= mostSteps || !step.add(made)) return undefined;
    this.steps += 1;
    return made;
  }
}

const bySource = new WeakMap<SharedStrings, SpanTemplates>();

export function templatesOf(shared: SharedStrings): SpanTemplates {
  const known = bySource.get(shared);
  if (known !== undefined) return known;
  const templates = new SpanTemplates(shared);
  bySource.set(shared, templates);
  return templates;
}
