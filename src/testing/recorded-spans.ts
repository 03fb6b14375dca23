import { type MemoryCollector, memoryCollector } from '../../collectors/memory.ts';
import { contentBeside } from '../instrument/content-beside.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';

/** A span as the memory collector takes it. */
export type StorableSpan = Parameters<MemoryCollector['processor']['onStart']>[0];

/** The spans of one recording, twice: with what our helpers keep beside them, and as they are. */
export class RecordedSpans {
  readonly #whole = memoryCollector();
  readonly #onSpans = memoryCollector();

  onStart(span: StorableSpan): void {
    this.#whole.processor.onStart(span);
    this.#onSpans.processor.onStart(span);
  }

  onEnd(span: StorableSpan): void {
    this.#whole.processor.onEnd(withHelperContent(span));
    this.#onSpans.processor.onEnd(span);
  }

  async collect(): Promise<{ readonly whole: CollectedTrace[]; readonly onSpans: CollectedTrace[] }> {
    const [whole, onSpans] = await Promise.all([collected(this.#whole), collected(this.#onSpans)]);
    return { whole, onSpans };
  }
}

async function collected(memory: MemoryCollector): Promise<CollectedTrace[]> {
  const traces: CollectedTrace[] = [];
  const collection = await memory.collect();
  for await (const group of collection.groups()) traces.push(...group);
  return traces;
}

/**
 * With what our helpers recorded beside the span: a test reads it in this process, and nothing leaves. The shared span stays
 * as it is.
 */
function withHelperContent(span: StorableSpan): StorableSpan {
  const content = contentBeside(span);
  if (content === undefined) return span;
  const attributes = { ...span.attributes, ...content };
  return new Proxy(span, {
    get: (target, key) => (key === 'attributes' ? attributes : Reflect.get(target, key, target)),
  });
}
