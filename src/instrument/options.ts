import type { Meter } from '@opentelemetry/api';
import type { Mode } from './content-mode.ts';
import type { CustomRedaction } from './content-redactor.ts';
import type { SpanExporter, SpanProcessor } from './sdk-shapes.ts';

/** One way out for spans. */
export interface OutputOptions {
  /** Where copies go: a span processor, or an exporter (which gets a bounded queue before it). */
  readonly next: SpanProcessor | SpanExporter;
  /**
   * What may leave. Default `metadata`. `content` takes effect only if the environment variable
   * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` says so too.
   */
  readonly mode?: Mode;
}

/** What holds for all ways out. */
export interface CommonOptions {
  /** Attribute keys of the app that are metadata: exact, or a beginning that ends in `*`. Default none. */
  readonly keep?: readonly string[];
  /** Span and event names of the app that are metadata, likewise. Names that are one word always pass. */
  readonly keepNames?: readonly string[];
  /** Content mode: most bytes of content on one span, in UTF-8. Default 65,536. */
  readonly ceilingBytes?: number;
  /** Values that must never leave, in any spelling, beside those of environment variables with secret-looking names. */
  readonly secrets?: readonly string[];
  /** Content mode: a rule of the app, applied after ours. Where it throws, the value is withheld. */
  readonly redact?: CustomRedaction;
  /** Key for digests of tool arguments; without one there are none. Default the environment's `OTEL_EVAL_DIGEST_KEY`. */
  readonly digestKey?: string;
  /** By tool: names of the arguments that identify an operation, for counting attempts. Default: all of them. */
  readonly identity?: Readonly<Record<string, readonly string[]>>;
  /** Reports the processor's counters. */
  readonly meter?: Meter;
  /** Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** One way out, or several with modes of their own behind one set of stamps. */
export type AgentSpanProcessorOptions = CommonOptions &
  (OutputOptions | { readonly outputs: readonly OutputOptions[] });
