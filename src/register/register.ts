import { diag } from '@opentelemetry/api';
import { type AgentSpanProcessor, agentSpanProcessor } from '../instrument/agent-span-processor.ts';
import type { Mode } from '../instrument/content-mode.ts';
import { newCounters } from '../instrument/counters.ts';
import { contextFromEnvironment } from '../instrument/environment.ts';
import type { CommonOptions } from '../instrument/options.ts';
import { flushAtEnd } from './flush-at-end.ts';
import { otlpHttpExporter } from './otlp-http-exporter.ts';
import { otlpSettings } from './otlp-settings.ts';
import { samplerChoice } from './sampler-choice.ts';
import { createProvider, installProvider } from './set-up-tracing.ts';

export interface RegisterOptions extends CommonOptions {
  /** Default `OTEL_SERVICE_NAME`, else what the SDK calls an unknown service. */
  readonly serviceName?: string;
  /** Address of the collector's traces, as `http://127.0.0.1:4318/v1/traces`. Default by OpenTelemetry's variables. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `metadata`; `content` also needs `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`. */
  readonly mode?: Mode;
}

export interface Registration {
  readonly counters: AgentSpanProcessor['counters'];
  /** Sends what is waiting. */
  flush(): Promise<void>;
  /** Sends what is waiting and stops. Call it before `process.exit()`. */
  shutdown(): Promise<void>;
}

let registered: Registration | undefined;

/**
 * Sets tracing up in an app that has no OpenTelemetry yet: provider, OTLP/HTTP exporter, our processor in metadata
 * mode, and a flush when the process ends. A second call hands back the first registration. Where the app has a
 * provider already, nothing is changed: use `agentSpanProcessor` there. In a child process the trace and run of the
 * parent go on, where its environment names them (`childEnvironment`). OpenTelemetry's variables hold: sampler, resource,
 * exporter's address, headers and time-out; with `OTEL_SDK_DISABLED=true` or `OTEL_TRACES_EXPORTER=none` nothing is set up.
 *
 * @example
 * import { register } from 'otel-eval/register';
 * register({ serviceName: 'order-support' });
 */
export function register(options: RegisterOptions = {}): Registration {
  const environment = options.environment ?? process.env;
  registered ??= isSwitchedOff(environment) ? noRegistration() : setUp(options, environment);
  return registered;
}

type Environment = Readonly<Record<string, string | undefined>>;

function isSwitchedOff(environment: Environment): boolean {
  const is = (name: string, value: string): boolean => environment[name]?.trim().toLowerCase() === value;
  return is('OTEL_SDK_DISABLED', 'true') || is('OTEL_TRACES_EXPORTER', 'none');
}

function noRegistration(): Registration {
  return { counters: newCounters(), flush: async () => {}, shutdown: async () => {} };
}

function setUp(options: RegisterOptions, environment: Environment): Registration {
  const settings = otlpSettings(environment);
  const exporter = otlpHttpExporter({
    ...settings,
    url: options.url ?? settings.url,
    headers: { ...settings.headers, ...options.headers },
  });
  const processor = agentSpanProcessor({ ...options, next: exporter });
  const serviceName = options.serviceName ?? environment['OTEL_SERVICE_NAME'];
  const provider = createProvider({
    processors: [processor],
    ...(serviceName === undefined ? {} : { serviceName }),
    resourceFromEnvironment: true,
    sampling: samplerChoice(environment),
  });
  if (!installProvider(provider, contextFromEnvironment(environment))) {
    diag.warn('otel-eval: the app has a tracer provider already; add agentSpanProcessor to it instead');
  }
  const removeHandlers = flushAtEnd(() => provider.shutdown());
  return {
    counters: processor.counters,
    flush: () => provider.forceFlush(),
    shutdown: async () => {
      removeHandlers();
      await provider.shutdown();
    },
  };
}
