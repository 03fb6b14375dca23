import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** Contexts that follow promises, timers and callbacks. */
export class AsyncContext implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  readonly #base: Context;

  /** `base` is active where nothing else is. */
  constructor(base: Context = ROOT_CONTEXT) {
    this.#base = base;
  }

  active(): Context {
    return this.#storage.getStore() ?? this.#base;
  }

  with<Given extends unknown[], Call extends (...given: Given) => ReturnType<Call>>(
    context: Context,
    call: Call,
    self?: ThisParameterType<Call>,
    ...given: Given
  ): ReturnType<Call> {
    return this.#storage.run(context, () => call.call(self as ThisParameterType<Call>, ...given));
  }

  bind<Target>(context: Context, target: Target): Target {
    if (typeof target !== 'function') return target;
    const storage = this.#storage;
    const bound = function (this: unknown, ...given: unknown[]): unknown {
      return storage.run(context, () => Reflect.apply(target, this, given));
    };
    return Object.defineProperty(bound, 'length', { value: target.length }) as Target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}
