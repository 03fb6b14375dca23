import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type Answer, textOf } from '../http/answer.ts';
import { HttpSource } from '../http/http-source.ts';
import { Deadline } from '../polling/deadline.ts';
import type { RemoteOptions } from '../polling/remote-options.ts';
import type { Until } from '../polling/until.ts';
import { traceIdsIn } from './trace-ids-in.ts';

/** Which server is asked, as whom, and for which trace. */
export interface AccessQuestion
  extends Pick<RemoteOptions, 'url' | 'token' | 'user' | 'tenant' | 'headers' | 'ca' | 'environment' | 'dispatcher'> {
  readonly kind: 'tempo' | 'jaeger';
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** For both requests together, until an answer counts as none; default 30,000. */
  readonly deadlineMs?: number;
}

/** What one real request gave. */
export interface AccessAnswer {
  /** HTTP status; 0 where nothing answered. */
  readonly status: number;
  readonly traceIds: readonly string[];
  /** The answer is a page on which to sign in. */
  readonly loginPage: boolean;
}

export interface AccessAnswers {
  readonly traceId: string;
  readonly authorised: AccessAnswer;
  readonly anonymous: AccessAnswer;
}

const routes = {
  tempo: ['/api/v2/traces/', '/api/traces/'],
  jaeger: ['/api/v3/traces/', '/api/traces/'],
} as const;
const tenantHeader = { tempo: 'X-Scope-OrgID', jaeger: 'x-tenant' } as const;

/**
 * Asks for one trace twice over real HTTP: with the credentials, and without any. The tenant is a name and no
 * credential, so both requests carry it; all further headers may hold secrets, so only the first one does. Nothing is
 * judged here: `accessFaults` does that.
 *
 * @example
 * const answers = await proveAccess({ kind: 'tempo', url: 'https://grafana.example/api/datasources/proxy/uid/T', token, traceId });
 */
export async function proveAccess(question: AccessQuestion): Promise<AccessAnswers> {
  const { token, user, headers, ...open } = question;
  if (token === undefined && user === undefined && Object.keys(headers ?? {}).length === 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected credentials for one of the two requests, got none', {
      source: '--token-env',
      hint: 'put a token into OTEL_EVAL_TOKEN, or secret headers into OTEL_EVAL_HEADERS',
    });
  }
  // One after the other, each over connections of its own: nothing of the first can help the second.
  const anonymous = await answerTo(open);
  const authorised = await answerTo(question);
  return { traceId: question.traceId, authorised, anonymous };
}

async function answerTo(question: AccessQuestion): Promise<AccessAnswer> {
  const server = new HttpSource(question, tenantHeader[question.kind]);
  const deadline = new Deadline(server.clock, (question.deadlineMs ?? 30_000) / 2);
  try {
    return await ask(server, question, { deadline, signal: new AbortController().signal });
  } catch (failure) {
    if (OtelEvalError.is(failure) && failure.code === 'OTEL_EVAL_UNAVAILABLE') return nothing;
    throw failure;
  } finally {
    await server.close();
  }
}

const nothing: AccessAnswer = { status: 0, traceIds: [], loginPage: false };

async function ask(server: HttpSource, { kind, traceId }: AccessQuestion, until: Until): Promise<AccessAnswer> {
  let answer: AccessAnswer = nothing;
  for (const route of routes[kind]) {
    // Whatever is answered is what was asked for, a refusal too.
    const takes = (): boolean => true;
    const given = await server.ask({ path: route + traceId, accept: 'application/json', takes }, until);
    answer = { status: given.status, traceIds: traceIdsIn(given), loginPage: isLoginPage(given) };
    // Only a server that does not know the route is asked by the older one.
    if (given.status !== 404) return answer;
  }
  return answer;
}

/** A page in the place of a trace. */
function isLoginPage(answer: Answer): boolean {
  return (
    answer.status < 300 &&
    answer.contentType.startsWith('text/html') &&
    /log\s?in|sign\s?in|grafana/i.test(textOf(answer))
  );
}
