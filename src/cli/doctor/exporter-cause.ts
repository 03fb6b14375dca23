import { otlpSettings } from '../../register/otlp-settings.ts';
import type { Cause } from './cause.ts';

const timeoutMs = 3_000;

/** Whether something at the exporter's address takes traces: an empty request is posted there. */
export async function exporterCauses(env: Readonly<Record<string, string | undefined>>): Promise<Cause[]> {
  const { url, headers } = otlpSettings(env);
  if (/^[\w.-]+:\d+/.test(url)) {
    return [
      wrong(
        'exporter-address',
        'the address of the exporter has no scheme in front of it',
        'write it with http:// or https://, as OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318',
      ),
    ];
  }
  if (!URL.canParse(url)) {
    return [
      wrong(
        'exporter-address',
        'the address of the exporter is no URL',
        'set OTEL_EXPORTER_OTLP_ENDPOINT to one, as http://127.0.0.1:4318',
      ),
    ];
  }
  const shown = shownAddress(url);
  let response: Response;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const init = { method: 'POST', body: '{"resourceSpans":[]}', signal, redirect: 'manual' } as const;
    response = await fetch(url, { ...init, headers: { ...headers, 'content-type': 'application/json' } });
    await response.body?.cancel();
  } catch {
    return [
      wrong(
        'exporter-unreachable',
        `nothing answers at ${shown}, where spans are sent`,
        'start a collector there, or set OTEL_EXPORTER_OTLP_ENDPOINT',
      ),
    ];
  }
  if (response.ok) return [];
  const { status } = response;
  if (status === 401 || status === 403) {
    return [
      wrong('exporter-refused', `${shown} answers ${status}`, 'set OTEL_EXPORTER_OTLP_HEADERS to what it asks for'),
    ];
  }
  const isPath = status === 404 || status === 405;
  const found = `${shown} answers ${status}${isPath ? ': it takes no traces there' : ''}`;
  return [
    wrong(
      'exporter-address',
      found,
      'the endpoint is the base; /v1/traces is put behind it, except in OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    ),
  ];
}

function wrong(id: string, found: string, remedy: string): Cause {
  return { id, found, remedy, rank: 5 };
}

function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
