import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

/** Where a server stands: its origin, the path that everything is under, and query parameters that every request gets. */
export interface ServerAddress {
  readonly origin: string;
  /** Without a slash at the end; empty for none. */
  readonly prefix: string;
  readonly parameters: URLSearchParams;
  /** As it may be shown: no user, no query. */
  readonly shown: string;
  readonly secure: boolean;
  /** This machine: never reached through a proxy, and compression would only cost time. */
  readonly loopback: boolean;
  /** Data-source proxy of Grafana: errors may be Grafana's own. */
  readonly behindGrafana: boolean;
}

/** Reads `--url`. A password in it is refused: it would stand in shell histories and process lists. */
export function serverAddress(url: string): ServerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      'expected an address like https://tempo.example:3200, got another text',
      {
        source: '--url',
      },
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'the address holds a user or password, which do not belong there', {
      source: '--url',
      hint: 'Give --user NAME and the secret through --token-env NAME.',
    });
  }
  const prefix = parsed.pathname.replace(/\/+$/, '');
  return {
    origin: parsed.origin,
    prefix,
    parameters: parsed.searchParams,
    shown: parsed.origin + prefix,
    secure: parsed.protocol === 'https:',
    loopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname),
    behindGrafana: /\/api\/datasources\/proxy\//.test(`${prefix}/`),
  };
}
