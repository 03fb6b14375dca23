import { diag } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '../instrument/sdk-shapes.ts';
import { otlpRequest } from './otlp-span.ts';

export interface OtlpHttpOptions {
  /** Where traces are posted, as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of one attempt. */
  readonly timeoutMs: number;
}

const attempts = 4;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Posts spans as OTLP/HTTP JSON. Exists beside the exporter of the SDK because that one is bound to a single line of
 * the SDK, and no app could then install us beside the other line without a conflict.
 */
export function otlpHttpExporter({ url, headers, timeoutMs }: OtlpHttpOptions): SpanExporter {
  const pending = new Set<Promise<void>>();

  const post = async (body: string): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const pauseMs = await postOnce(body);
      if (pauseMs === undefined) return;
      if (attempt === attempts) throw new Error(`no success after ${attempt} attempts`);
      // Keeps the process alive: at its end this is what is still to be sent.
      await new Promise((resolve) => setTimeout(resolve, pauseMs || firstPauseMs * 2 ** attempt));
    }
  };
  /** `undefined` on success, else how long to wait before the next attempt. */
  const postOnce = async (body: string): Promise<number | undefined> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const init = { method: 'POST', body, signal, headers: { ...headers, 'content-type': 'application/json' } };
    let response: Response;
    try {
      response = await fetch(url, { ...init, redirect: 'error' });
    } catch {
      return 0;
    }
    await response.arrayBuffer();
    if (response.ok) return undefined;
    if (!retryable.has(response.status)) throw new Error(`the server answered ${response.status}`);
    return Math.min(longestPauseMs, (Number(response.headers.get('retry-after')) || 0) * 1_000);
  };

  return {
    export(spans: ReadableSpan[], done: (result: { readonly code: number; readonly error?: Error }) => void): void {
      const sent = post(otlpRequest(spans)).then(
        () => done({ code: 0 }),
        (error: Error) => {
          diag.warn(`otel-eval: ${spans.length} spans were not taken at ${originOnly(url)}: ${error.message}`);
          done({ code: 1, error });
        },
      );
      pending.add(sent);
      void sent.finally(() => pending.delete(sent));
    },
    async forceFlush(): Promise<void> {
      await Promise.all(pending);
    },
    async shutdown(): Promise<void> {
      await Promise.all(pending);
    },
  };
}

/** An address as a diagnostic may show it: credentials can stand in any other part. */
function originOnly(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'an address that is no URL';
}
