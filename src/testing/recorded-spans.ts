import { type MemoryCollector, memoryCollector } from '../../collectors/memory.ts';
import { contentBeside } from '../instrument/content-beside.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import { ExactTimes } from './exact-times.ts';

/** A span as the memory collector takes it. */
export type StorableSpan = Parameters<MemoryCollector['processor']['onStart']>[0];

/**
 * The spans of one recording, twice: with what our helpers keep beside them (a test reads it in this process, and nothing
 * leaves), and as they are.
 */
export class RecordedSpans {
  readonly #whole = memoryCollector();
  readonly #onSpans = memoryCollector();
  readonly #times = new ExactTimes();

  onStart(span: StorableSpan): void {
    this.#times.started(span);
    this.#whole.processor.onStart(span);
    this.#onSpans.processor.onStart(span);
  }

  onEnd(span: StorableSpan): void {
    const times = this.#times.ended(span);
    const content = contentBeside(span);
    this.#onSpans.processor.onEnd(seenAs(span, times));
    this.#whole.processor.onEnd(
      seenAs(span, content === undefined ? times : { ...times, attributes: { ...span.attributes, ...content } }),
    );
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

/** A span with other values of some members. The shared span stays as it is: other processors see it too. */
function seenAs(span: StorableSpan, members: Partial<StorableSpan> | undefined): StorableSpan {
  if (members === undefined) return span;
  return new Proxy(span, {
    get: (target, key) => (key in members ? Reflect.get(members, key) : Reflect.get(target, key, target)),
  });
}
