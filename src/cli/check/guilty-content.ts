import { contentLines } from '../../report/content-lines.ts';
import type { JudgedTrial } from '../../suite/judge/judge.ts';

const mostSpans = 20;

/** The content of spans that findings point at, kept for the terminal of a person who asked for it. */
export class GuiltyContent {
  readonly #blocks: string[] = [];
  readonly #seen = new Set<string>();

  add({ view, outcomes }: JudgedTrial): void {
    for (const { traceId, spanId } of outcomes
      .flatMap(({ verdict }) => verdict?.findings ?? [])
      .flatMap(({ spans }) => spans)) {
      const span = view.run.traces.find((trace) => trace.traceId === traceId)?.spansById.get(spanId);
      const id = `${traceId} ${spanId}`;
      if (span === undefined || this.#seen.has(id) || this.#blocks.length >= mostSpans) continue;
      this.#seen.add(id);
      this.#blocks.push(contentLines(span).join('\n'));
    }
  }

  /** Empty where no finding points at a span. */
  get text(): string {
    return this.#blocks.map((block) => `\n${block}\n`).join('');
  }
}
