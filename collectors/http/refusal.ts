import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type Answer, jsonOf, textOf, wordsOf } from './answer.ts';
import { MomentaryFailure } from './momentary-failure.ts';
import { retryAfterMs } from './retry-after.ts';
import type { ServerAddress } from './server-address.ts';

/**
 * Throws what an answer means where it means "no", whoever gave it: the server, a gateway, or Grafana in front of it.
 * Comes back for 2xx and for the codes whose meaning depends on the question: 404 and 422.
 */
export function throwIfRefused(answer: Answer, address: ServerAddress, nowUnixMs: number): void {
  const { status } = answer;
  if (status < 300 && !answer.contentType.startsWith('text/html')) return;
  if (status >= 500 || momentary.has(status)) {
    throw new MomentaryFailure(`HTTP ${status}${said(answer)}`, {
      waitMs: retryAfterMs(answer.header('retry-after'), nowUnixMs),
    });
  }
  if (status >= 300 && status < 400) throw redirected(answer, address);
  if (status === 401 || status === 407) throw unauthorized(answer, address);
  if (status === 403)
    throw auth(`access denied (HTTP 403)${said(answer)}`, address, 'Check what the credential may read.');
  if (answer.contentType.startsWith('text/html')) throw webPage(answer, address);
  if (status === 400) throw badRequest(answer, address);
  const message = jsonOf(answer)?.['message'];
  if (status === 404 && typeof message === 'string') throw grafanaSays(answer, address);
  if (status >= 400 && status !== 404 && status !== 422) throw otherRefusal(answer, address);
}

const momentary = new Set([408, 425, 429, 499]);

function redirected(answer: Answer, address: ServerAddress): OtelEvalError {
  const location = answer.header('location') ?? '';
  const target = URL.canParse(location, address.origin) ? new URL(location, address.origin) : undefined;
  if (target !== undefined && /\/login\/?$/.test(target.pathname)) {
    return auth('it sends us to a login page', address, 'Give a service account token through --token-env NAME.');
  }
  const where = target === undefined ? 'elsewhere' : `to ${target.origin}${target.pathname}`;
  return new OtelEvalError(
    'OTEL_EVAL_WRONG_SERVER',
    `${address.shown}: expected an answer, got a redirect ${where} (HTTP ${answer.status})`,
    {
      source: address.shown,
      hint: 'Redirects are not followed, since credentials would follow too: give the final --url.',
    },
  );
}

function unauthorized(answer: Answer, address: ServerAddress): OtelEvalError {
  if (textOf(answer).trim() === 'no org id') {
    return auth('it wants a tenant (HTTP 401, no org id)', address, 'Give --tenant NAME.');
  }
  return auth(
    `it refuses our credentials, or wants some (HTTP ${answer.status})`,
    address,
    'Give a token through --token-env NAME, or --user NAME with it.',
  );
}

function webPage(answer: Answer, address: ServerAddress): OtelEvalError {
  if (answer.status === 200 && (address.behindGrafana || /grafana|login/i.test(textOf(answer)))) {
    return auth(
      'it answers with a web page, as it does without a valid login',
      address,
      'Give a token through --token-env NAME.',
    );
  }
  return new OtelEvalError(
    'OTEL_EVAL_WRONG_SERVER',
    `${address.shown}: expected traces, got a web page (HTTP ${answer.status})`,
    { source: address.shown, hint: 'Check --url: host, port and path prefix.' },
  );
}

function badRequest(answer: Answer, address: ServerAddress): OtelEvalError {
  const message = jsonOf(answer)?.['message'];
  if (message === 'Authentication to data source failed') {
    return auth(
      'Grafana accepts us, but what stands behind it refuses the credentials of the data source',
      address,
      'Mend the data source in Grafana: its credentials or its tenant header.',
    );
  }
  if (typeof message === 'string') return grafanaSays(answer, address);
  return new OtelEvalError(
    'OTEL_EVAL_BAD_QUERY',
    `${address.shown}: it refuses the question (HTTP 400)${said(answer)}`,
    {
      source: address.shown,
    },
  );
}

function grafanaSays(answer: Answer, address: ServerAddress): OtelEvalError {
  return new OtelEvalError(
    'OTEL_EVAL_WRONG_SERVER',
    `${address.shown}: the server in front says no (HTTP ${answer.status})${said(answer)}`,
    { source: address.shown, hint: 'Check the uid in --url: …/api/datasources/proxy/uid/UID.' },
  );
}

function otherRefusal(answer: Answer, address: ServerAddress): OtelEvalError {
  const code = answer.status === 413 ? 'OTEL_EVAL_TOO_LARGE' : 'OTEL_EVAL_WRONG_SERVER';
  return new OtelEvalError(code, `${address.shown}: it refuses (HTTP ${answer.status})${said(answer)}`, {
    source: address.shown,
  });
}

function auth(what: string, address: ServerAddress, hint: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_AUTH', `${address.shown}: ${what}`, { source: address.shown, hint });
}

function said(answer: Answer): string {
  const message = jsonOf(answer)?.['message'];
  if (typeof message === 'string') return `: ${message.slice(0, 160).replace(/\p{Cc}+/gu, ' ')}`;
  if (!answer.contentType.startsWith('text/plain')) return '';
  const words = wordsOf(answer);
  return words === '' ? '' : `: ${words}`;
}
