import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RemoteOptions } from '../../collectors/polling/remote-options.ts';
import { parseDuration } from '../suite/duration.ts';
import type { TracesDocument } from '../suite/suite-document.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Context } from './context.ts';

/** What a server is asked for, and how; secrets not read yet. */
export interface RemoteSettings {
  readonly url: string;
  readonly tenant: string | undefined;
  readonly user: string | undefined;
  readonly tokenVariable: string;
  readonly caFile: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly traceQl: string | undefined;
  readonly sinceUnixMs: number | undefined;
  readonly untilUnixMs: number | undefined;
  readonly limit: number | undefined;
}

const defaultTokenVariable = 'OTEL_EVAL_TOKEN';

/** Flags, environment, suite and configuration together, for a source that is a server. */
export function remoteSettings(
  traces: TracesDocument,
  options: Readonly<Record<string, unknown>>,
  context: Context,
): RemoteSettings {
  if (traces.url === undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected the address of the server, got none', {
      source: '--url',
      hint: 'give --url, or the variable OTEL_EVAL_URL',
    });
  }
  if (traces.query !== undefined && traces.source === 'jaeger') {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected --service, --run-id or --conversation-id, got TraceQL', {
      source: '--query',
      hint: 'Jaeger does not know TraceQL',
    });
  }
  const nowMs = context.now();
  const sinceUnixMs = time(traces.since, '--since', nowMs);
  const untilUnixMs = time(traces.until, '--until', nowMs);
  assertSearch(traces, { sinceUnixMs, endUnixMs: untilUnixMs ?? nowMs });
  return {
    url: traces.url,
    tenant: traces.tenant,
    user: (options['user'] as string | undefined) ?? context.env['OTEL_EVAL_USER'],
    tokenVariable: (options['tokenEnv'] as string | undefined) ?? defaultTokenVariable,
    caFile: (options['ca'] as string | undefined) ?? context.env['OTEL_EVAL_CA'],
    headers: {
      ...headersFrom((context.env['OTEL_EVAL_HEADERS'] ?? '').split('\n'), 'OTEL_EVAL_HEADERS'),
      ...headersFrom((options['header'] as readonly string[] | undefined) ?? [], '--header'),
    },
    traceQl: traces.query,
    sinceUnixMs,
    untilUnixMs,
    limit: traces.limit,
  };
}

/** What would find nothing, or be passed over without a word. */
function assertSearch(
  { query, traceId = [] }: TracesDocument,
  { sinceUnixMs, endUnixMs }: { readonly sinceUnixMs: number | undefined; readonly endUnixMs: number },
): void {
  if (sinceUnixMs !== undefined && sinceUnixMs >= endUnixMs) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected a search that starts before it ends, got one that does not', {
      source: '--since',
      hint: 'a duration counts back from now: --since 2h --until 1h',
    });
  }
  if (query?.trim() === '') {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected TraceQL such as { span.retry = 1 }, got an empty text', {
      source: '--query',
    });
  }
  if (query !== undefined && traceId.length > 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected trace ids or TraceQL to find them, got both', {
      source: '--query',
      hint: 'a trace that is named by --trace-id is read without a search',
    });
  }
}

/** What a collector needs to ask the server: with the secrets, from the environment, and the certificate, from its file. */
export async function remoteConnection(settings: RemoteSettings, context: Context): Promise<RemoteOptions> {
  const { url, tenant, user, headers, limit, sinceUnixMs, untilUnixMs } = settings;
  const given = { tenant, user, token: token(settings, context), ca: await authority(settings, context) };
  const window = { limit, sinceUnixMs, untilUnixMs };
  return { url, headers, environment: context.env, ...withoutGaps(given), ...withoutGaps(window) };
}

function token({ tokenVariable }: RemoteSettings, { env }: Context): string | undefined {
  // A line break at the end is what reading a secret from a file usually leaves.
  const value = env[tokenVariable]?.replace(/[\r\n]+$/, '');
  if (value !== undefined && value !== '') return value;
  if (tokenVariable === defaultTokenVariable) return undefined;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a token in the variable ${tokenVariable}, got none`, {
    source: '--token-env',
  });
}

async function authority({ caFile }: RemoteSettings, { cwd }: Context): Promise<string | undefined> {
  if (caFile === undefined) return undefined;
  const text = await readFile(resolve(cwd, caFile), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${caFile}: ${cause.code ?? 'failed'}`, {
      source: '--ca',
      cause,
    });
  });
  if (isPem(text)) return text;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a certificate in PEM in ${caFile}, got none`, {
    source: '--ca',
  });
}

/** One certificate or several, each readable: a damaged one would look like a server that is down. */
function isPem(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).serialNumber !== '');
  } catch {
    return false;
  }
}

function headersFrom(lines: readonly string[], source: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(line.trim()) ?? [];
    if (name === '') {
      throw new OtelEvalError('OTEL_EVAL_USAGE', "expected a header as 'Name: value', got a line without a colon", {
        source,
      });
    }
    if (source === '--header' && /^(authorization|proxy-authorization|cookie)$/i.test(name.trim())) {
      throw new OtelEvalError(
        'OTEL_EVAL_USAGE',
        `--header ${name.trim()}: a secret does not belong on a command line`,
        {
          source,
          hint: 'give it through --token-env, or as a line of the variable OTEL_EVAL_HEADERS',
        },
      );
    }
    headers[name.trim()] = value.trim();
  }
  return headers;
}

/** Milliseconds since 1970 of an ISO 8601 time, or of a duration before now. */
function time(text: string | undefined, source: string, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const durationMs = parseDuration(text);
  if (durationMs !== undefined) return nowMs - durationMs;
  const parsed = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(parsed)) return parsed;
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `expected a time such as 2026-11-30T12:00:00Z, or a duration such as 30m, got "${text.slice(0, 40)}"`,
    { source },
  );
}

/** Without members that are undefined. */
export function withoutGaps<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
