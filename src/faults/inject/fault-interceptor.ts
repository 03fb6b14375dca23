import { AsyncResource } from 'node:async_hooks';
import { asked, meetFault, type WireAnswer, type WireFault, type WireOutcome, wireFault } from './wire-fault.ts';

/** A request as undici's dispatchers have it. */
interface DispatchOptions {
  readonly origin?: string | URL | undefined;
  readonly path: string;
  readonly method: string;
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly upgrade?: unknown;
}

interface Controller {
  readonly aborted: boolean;
  readonly reason: Error | null;
  readonly paused: boolean;
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** The handler of undici 7 and later. */
interface Handler {
  onRequestStart?(controller: Controller, context: object): void;
  onResponseStart?(controller: Controller, status: number, headers: Headers, text: string): void;
  onResponseData?(controller: Controller, chunk: Uint8Array): void;
  onResponseEnd?(controller: Controller, trailers: Headers): void;
  onResponseError?(controller: Controller, error: unknown): void;
}

type Dispatch = (options: DispatchOptions, handler: Handler) => boolean;

/**
 * Faults below undici (7 or later): its `request` and `fetch`, and Node's own `fetch` where it is the global dispatcher.
 * Compose it first, so that it stands under `RetryAgent`, `interceptors.retry()` and whatever else tries again.
 *
 * @example
 * const agent = new RetryAgent(new Agent().compose(faultInterceptor()));
 */
export function faultInterceptor(): <D extends (options: never, handler: never) => boolean>(dispatch: D) => D {
  return (given) => {
    const dispatch = given as unknown as Dispatch;
    const faulted: Dispatch = (options, handler) => {
      const bound = inThisContext(handler);
      const fault = options.upgrade ? undefined : wireFault(new URL(options.path, options.origin ?? nowhere).href);
      if (fault === undefined) return asked(() => dispatch(options, bound));
      void answer(fault, dispatch, options, bound);
      return true;
    };
    return faulted as never;
  };
}

const nowhere = 'http://localhost';

/** A socket is shared, and tells its handlers in the context of whoever opened it: a retry would join another trial. */
function inThisContext(handler: Handler): Handler {
  const scope = new AsyncResource('otel-eval.dispatch');
  return new Proxy(handler, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...all: unknown[]) => scope.runInAsyncScope(value as (...all: unknown[]) => unknown, target, ...all);
    },
  });
}

async function answer(fault: WireFault, dispatch: Dispatch, options: DispatchOptions, handler: Handler): Promise<void> {
  const control = controller();
  try {
    handler.onRequestStart?.(control, {});
    const bytes = await bytesOf(options.body);
    const outcome = await meetFault(fault, {
      text: bytes === undefined ? '' : Buffer.from(bytes).toString(),
      signal: control.signal,
      send: (body) => carryOut(dispatch, { ...options, ...changes(options, body ?? bytes) }, control.signal),
    });
    control.signal.throwIfAborted();
    tell(handler, control, outcome);
  } catch (error) {
    handler.onResponseError?.(control, error);
  }
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

function tell(handler: Handler, control: Controller, outcome: WireOutcome<RawAnswer>): void {
  if ('broken' in outcome) {
    const { message } = outcome.broken;
    throw Object.assign(new Error(message), { name: 'HeadersTimeoutError', code: 'UND_ERR_HEADERS_TIMEOUT' });
  }
  const { status, headers, body } = 'passed' in outcome ? outcome.passed : outcome;
  handler.onResponseStart?.(control, status, headers, '');
  handler.onResponseData?.(control, Buffer.from(body as Uint8Array));
  handler.onResponseEnd?.(control, {});
}

function carryOut(dispatch: Dispatch, options: DispatchOptions, signal: AbortSignal): Promise<WireAnswer<RawAnswer>> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let raw: Omit<RawAnswer, 'body'> = { status: 0, headers: {} };
    dispatch(options, {
      onRequestStart(control) {
        signal.addEventListener('abort', () => control.abort(signal.reason as Error));
      },
      onResponseStart(_, status, headers) {
        raw = { status, headers };
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const body = Buffer.concat(chunks);
        resolve({ raw: { ...raw, body }, status: raw.status, text: body.toString() });
      },
      onResponseError(_, error) {
        reject(error);
      },
    });
  });
}

/** Streams are read once: what was read is sent. Forms and files go out as they are. */
async function bytesOf(body: unknown): Promise<Uint8Array | undefined> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  if (typeof body !== 'object' || body === null || body instanceof Blob || body instanceof FormData) return undefined;
  if (!(Symbol.asyncIterator in body) && !(Symbol.iterator in body)) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) chunks.push(Buffer.from(chunk as string));
  return Buffer.concat(chunks);
}

/** The answer must be readable, and the length is that of the body. */
function changes({ headers, body }: DispatchOptions, sent: string | Uint8Array | undefined): Partial<DispatchOptions> {
  const own = ['accept-encoding', ...(sent === undefined ? [] : ['content-length'])];
  const kept = pairsOf(headers).filter(([name]) => !own.includes(name.toLowerCase()));
  return { body: sent ?? body, headers: kept.flat() };
}

function pairsOf(headers: unknown): (readonly [string, string | readonly string[]])[] {
  if (typeof headers !== 'object' || headers === null) return [];
  const listed = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
  if (typeof listed[0] !== 'string') return listed as [string, string][];
  return listed.flatMap((name, at) => (at % 2 === 0 ? [[String(name), String(listed[at + 1])] as const] : []));
}

function controller(): Controller & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  let paused = false;
  return {
    signal: abort.signal,
    get aborted() {
      return abort.signal.aborted;
    },
    get reason() {
      return (abort.signal.reason as Error | undefined) ?? null;
    },
    get paused() {
      return paused;
    },
    abort: (reason) => abort.abort(reason),
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
    },
  };
}
