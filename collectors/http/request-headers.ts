import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

/** How to show who asks. Secrets come from the environment or a file; none of this appears in an error or report. */
export interface Credentials {
  /** Sent as `Authorization: Bearer`; with `user`, as its password (Grafana Cloud takes no bearer for traces). */
  readonly token?: string;
  /** For basic authentication. */
  readonly user?: string;
  /** Further headers, sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `X-Scope-OrgID` for Tempo, `x-tenant` for Jaeger. */
  readonly tenant?: string;
}

/** The headers of every request. Text that cannot stand in a header is refused by name, never shown. */
export function requestHeaders(credentials: Credentials, tenantHeader: string): Record<string, string> {
  const { token, user, tenant } = credentials;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(credentials.headers ?? {})) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw unfit('a header name holds a character that none may hold');
    headers[name.toLowerCase()] = value;
  }
  if (tenant !== undefined) headers[tenantHeader.toLowerCase()] = tenant;
  if (user !== undefined) {
    headers['authorization'] = `Basic ${Buffer.from(`${user}:${token ?? ''}`).toString('base64')}`;
  } else if (token !== undefined) {
    headers['authorization'] = `Bearer ${token}`;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw unfit(`the value for header ${name} holds a character that none may hold`);
  }
  return headers;
}

function unfit(message: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_USAGE', message, {
    hint: 'A secret read from a file or variable often ends in a line break.',
  });
}
