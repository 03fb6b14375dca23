import { type Context, context } from '@opentelemetry/api';
import type { SpanEnding } from './span-ending.ts';

/**
 * The same iterable, watched: the span ends when the reader has come to the end, has given up, or an error came. All
 * else of the object works as before. Code of the iterable runs in the context of the span.
 */
export function observed<Iterable extends object>(iterable: Iterable, inside: Context, end: SpanEnding): Iterable {
  const once = new Once(end);
  return new Proxy(iterable, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name === Symbol.asyncIterator) {
        return (...given: unknown[]) =>
          watched(Reflect.apply(member, target, given) as AsyncIterator<unknown>, inside, once);
      }
      if (isStep(name) && isIterator(target)) return step(target, name, inside, once);
      return member.bind(target);
    },
  });
}

type Step = 'next' | 'return' | 'throw';

function isStep(name: string | symbol): name is Step {
  return name === 'next' || name === 'return' || name === 'throw';
}

function isIterator(value: object): value is AsyncIterator<unknown> {
  return typeof (value as Partial<AsyncIterator<unknown>>).next === 'function';
}

/** An iterator whose steps are watched; only those that it has. */
function watched(iterator: AsyncIterator<unknown>, inside: Context, once: Once): AsyncIterableIterator<unknown> {
  const steps = (['next', 'return', 'throw'] as const).filter((name) => typeof iterator[name] === 'function');
  const made = Object.fromEntries(steps.map((name) => [name, step(iterator, name, inside, once)]));
  const self = { ...made, [Symbol.asyncIterator]: () => self } as unknown as AsyncIterableIterator<unknown>;
  return self;
}

function step(iterator: AsyncIterator<unknown>, name: Step, inside: Context, once: Once) {
  return async (...given: unknown[]): Promise<IteratorResult<unknown>> => {
    try {
      const member = iterator[name] as (...values: unknown[]) => Promise<IteratorResult<unknown>>;
      const result = await context.with(inside, () => Reflect.apply(member, iterator, given));
      if (name === 'return') once.left();
      else if (result.done === true) once.done();
      else once.item(result.value);
      return result;
    } catch (error) {
      once.failed(error);
      throw error;
    }
  };
}

const mostItems = 10_000;

/** Ends the span with the first of end, error and giving up. */
class Once {
  readonly #end: SpanEnding;
  readonly #items: unknown[] = [];
  #over = false;

  constructor(end: SpanEnding) {
    this.#end = end;
  }

  item(value: unknown): void {
    if (this.#items.length < mostItems) this.#items.push(value);
  }

  done(): void {
    if (this.#over) return;
    this.#over = true;
    this.#end.done(this.#items);
  }

  failed(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#end.failed(error);
  }

  left(): void {
    if (this.#over) return;
    this.#over = true;
    this.#end.left();
  }
}
