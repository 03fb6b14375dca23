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

/** What a failure below HTTP means: worth another try, or a wrong address, port or certificate. */
export function networkFailure(failure: unknown, address: ServerAddress): OtelEvalError | MomentaryFailure {
  const code = codeOf(failure);
  if (/CERT|SIGNATURE|^ERR_TLS/.test(code)) {
    return new OtelEvalError('OTEL_EVAL_WRONG_SERVER', `${address.shown}: its certificate is not trusted (${code})`, {
      source: address.shown,
      hint: 'Give the authority that signed it with --ca FILE.',
    });
  }
  if (/^(HPE_|ERR_SSL|EPROTO)/.test(code)) {
    return new OtelEvalError(
      'OTEL_EVAL_WRONG_SERVER',
      `${address.shown}: expected HTTP, got something else (${code})`,
      {
        source: address.shown,
        hint: 'Check http or https, and the port: OTLP and gRPC ports do not answer queries.',
      },
    );
  }
  return new MomentaryFailure(
    words[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`),
  );
}

function codeOf(failure: unknown): string {
  if (typeof failure !== 'object' || failure === null) return '';
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  if ('errors' in failure && Array.isArray(failure.errors)) return codeOf(failure.errors[0]);
  return 'cause' in failure ? codeOf(failure.cause) : '';
}
