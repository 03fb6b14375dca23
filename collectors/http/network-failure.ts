import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { MomentaryFailure } from './momentary-failure.ts';
import type { ServerAddress } from './server-address.ts';

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_SOCKET: 'connection closed before the answer was whole',
};

const certificateHints: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'It is for another host: give --url with a name that stands in it.',
  CERT_HAS_EXPIRED: 'It has expired: renew it on the server, or set the clock of this machine.',
  CERT_NOT_YET_VALID: 'It is not valid yet: set the clock of this machine.',
};

/** What a failure below HTTP means: worth another try, or a wrong address, port or certificate. */
export function networkFailure(failure: unknown, address: ServerAddress): OtelEvalError | MomentaryFailure {
  const code = codeOf(failure);
  const proxyStatus = statusOfProxy(failure);
  if (proxyStatus !== undefined) return proxyRefusal(proxyStatus, address);
  if (/CERT|SIGNATURE|^ERR_TLS/.test(code)) {
    return new OtelEvalError('OTEL_EVAL_WRONG_SERVER', `${address.shown}: its certificate is not trusted (${code})`, {
      source: address.shown,
      hint: certificateHints[code] ?? 'Give the authority that signed it with --ca FILE.',
    });
  }
  const broken = brokenHttp(failure);
  if (/^(ERR_SSL|EPROTO)/.test(code) || broken === 'other') {
    const detail = broken === undefined ? ` (${code})` : '';
    return new OtelEvalError('OTEL_EVAL_WRONG_SERVER', `${address.shown}: expected HTTP, got something else${detail}`, {
      source: address.shown,
      hint: 'Check http or https, and the port: OTLP and gRPC ports do not answer queries.',
    });
  }
  if (broken === 'damaged') return new MomentaryFailure('its answer is not well-formed HTTP');
  return new MomentaryFailure(
    words[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`),
  );
}

/** undici's parser: `other` where not even the first word was HTTP. */
function brokenHttp(failure: unknown): 'other' | 'damaged' | undefined {
  if (!(failure instanceof Error) || failure.name !== 'HTTPParserError') return undefined;
  return failure.message.includes('(Expected HTTP/') ? 'other' : 'damaged';
}

/** The status with which a proxy, not the server, said no. */
function statusOfProxy(failure: unknown): number | undefined {
  const [, status] =
    /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(String((failure as Error)?.message)) ?? [];
  return status === undefined ? undefined : Number(status);
}

function proxyRefusal(status: number, address: ServerAddress): OtelEvalError | MomentaryFailure {
  if (status >= 500) return new MomentaryFailure(`the proxy answers HTTP ${status}`);
  return new OtelEvalError('OTEL_EVAL_AUTH', `${address.shown}: the proxy in front refuses us (HTTP ${status})`, {
    source: address.shown,
    hint: `Mend ${address.secure ? 'HTTPS_PROXY' : 'HTTP_PROXY'} (user and password may stand in it), or name the host in NO_PROXY.`,
  });
}

function codeOf(failure: unknown): string {
  if (typeof failure !== 'object' || failure === null) return '';
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  if ('errors' in failure && Array.isArray(failure.errors)) return codeOf(failure.errors[0]);
  return 'cause' in failure ? codeOf(failure.cause) : '';
}
