import { appendFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { agentSpanProcessor } from '../../instrument/agent-span-processor.ts';
import type { ReadableSpan, SpanExporter } from '../../instrument/sdk-shapes.ts';
import { packageVersion } from '../../package-version.ts';
import { otlpHttpExporter } from '../../register/otlp-http-exporter.ts';
import { otlpRequest } from '../../register/otlp-span.ts';
import { createProvider } from '../../register/set-up-tracing.ts';
import type { HarnessTracing } from '../../suite/trial/harness-tracing.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

export interface OwnTrace extends HarnessTracing {
  /** Sends what is waiting. */
  close(): Promise<void>;
}

/**
 * The trace of a run of otel-eval itself: how long opening, driving, collecting and judging took, with our own processor in
 * metadata mode. `where` is a file that gets OTLP/JSON lines, or the address of an OTLP/HTTP endpoint for traces. The
 * provider is not made the global one: that belongs to the target.
 */
export async function openOwnTrace(where: string, cwd: string): Promise<OwnTrace> {
  const next = /^https?:\/\//.test(where)
    ? otlpHttpExporter({ url: where, headers: {}, timeoutMs: 10_000 })
    : await fileExporter(where, cwd);
  const processor = agentSpanProcessor({ next, mode: 'metadata', keep: ['test.*'], keepNames: ['otel_eval *'] });
  const provider = createProvider({ processors: [processor], serviceName: 'otel-eval' });
  return {
    tracer: provider.getTracer('otel-eval.run', packageVersion()),
    parent: ROOT_CONTEXT,
    close: () => provider.shutdown(),
  };
}

async function fileExporter(shown: string, cwd: string): Promise<SpanExporter> {
  const path = resolve(cwd, shown);
  let written = writeFile(path, '').catch((cause: NodeJS.ErrnoException) => {
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot write ${shown}: ${cause.code ?? 'it failed'}`, {
      source: shown,
      cause,
    });
  });
  await written;
  return {
    export(spans: ReadableSpan[], done: (result: { readonly code: number; readonly error?: Error }) => void): void {
      written = written
        .then(() => appendFile(path, `${otlpRequest(spans)}\n`))
        .then(
          () => done({ code: 0 }),
          (error: Error) => done({ code: 1, error }),
        );
    },
    forceFlush: () => written,
    shutdown: () => written,
  };
}
