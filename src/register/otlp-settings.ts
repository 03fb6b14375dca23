import type { OtlpHttpOptions } from './otlp-http-exporter.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const defaultTimeoutMs = 10_000;

/** Address, headers and time-out from OpenTelemetry's variables; the signal's own variable wins. */
export function otlpSettings(environment: Environment): OtlpHttpOptions {
  const timeout = Number(environment['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'] ?? environment['OTEL_EXPORTER_OTLP_TIMEOUT']);
  return {
    url: urlFrom(environment),
    headers: {
      ...headersFrom(environment['OTEL_EXPORTER_OTLP_HEADERS']),
      ...headersFrom(environment['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
    },
    timeoutMs: timeout > 0 ? timeout : defaultTimeoutMs,
  };
}

function urlFrom(environment: Environment): string {
  const own = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  if (own !== undefined && own !== '') return own;
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return `${(base === undefined || base === '' ? 'http://localhost:4318' : base).replace(/\/+$/, '')}/v1/traces`;
}

/** `key=value,key2=value2`, percent-encoded. */
function headersFrom(text: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of (text ?? '').split(',')) {
    const [name = '', ...value] = pair.split('=');
    if (name.trim() === '' || value.length === 0) continue;
    headers[name.trim()] = decoded(value.join('=').trim());
  }
  return headers;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
