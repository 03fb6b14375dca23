import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { boundedText } from './bounded-text.ts';
import { fillTemplate } from './fill-template.ts';
import type { StepCall, Target } from './target.ts';

export interface HttpTargetOptions {
  readonly url: string;
  /** Default POST. */
  readonly method?: string;
  /** JSON; `{{input}}` and `{{conversation}}` stand for the step's. Default `{ input, conversation }`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 16 MiB. */
  readonly maxResponseBytes?: number;
  /** Requests around a trial; each must answer with 2xx. */
  readonly open?: HookRequest;
  readonly drain?: HookRequest;
  readonly close?: HookRequest;
}

export interface HookRequest {
  readonly url: string;
  /** Default POST. */
  readonly method?: string | undefined;
}

const defaultMaxResponseBytes = 16 * 2 ** 20;
const defaultBody = { input: '{{input}}', conversation: '{{conversation}}' };
/** Answers that say "not now". */
const unavailableStatuses = new Set([429, 502, 503, 504]);
/** There was nobody to talk to. A connection that broke in the middle is not among them: something had begun. */
const unavailableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** A chat endpoint over HTTP. The trace context goes along as `traceparent`. */
export function httpTarget(options: HttpTargetOptions): Target {
  const { origin, pathname } = new URL(options.url);
  const label = `${origin}${pathname}`;
  return {
    kind: 'http',
    label,
    async open(ticket) {
      const hook = (request: HookRequest | undefined, signal: AbortSignal): Promise<void> =>
        request === undefined ? Promise.resolve() : callHook(request, options, signal);
      await hook(options.open, ticket.signal);
      return {
        step: (call) => ask(options, label, call, ticket.runId),
        drain: (signal) => hook(options.drain, signal),
        close: () => hook(options.close, ticket.signal),
      };
    },
  };
}

async function ask(options: HttpTargetOptions, label: string, call: StepCall, runId: string): Promise<unknown> {
  const response = await send(options, label, call, runId);
  if (!response.ok) await response.body?.cancel();
  requireAnswer(response, label);
  const text = await boundedText(response, options.maxResponseBytes ?? defaultMaxResponseBytes, label).catch(
    (cause) => {
      throw OtelEvalError.is(cause) ? cause : broken(label, cause);
    },
  );
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function callHook(
  { url, method = 'POST' }: HookRequest,
  { headers }: HttpTargetOptions,
  signal: AbortSignal,
): Promise<void> {
  const { origin, pathname } = new URL(url);
  const label = `${origin}${pathname}`;
  let response: Response;
  try {
    response = await fetch(url, { method, headers: { ...headers }, redirect: 'error', signal });
  } catch (cause) {
    throw broken(label, cause);
  }
  await response.body?.cancel();
  requireAnswer(response, label);
}

function requireAnswer({ ok, status }: Response, label: string): void {
  if (ok) return;
  const code = unavailableStatuses.has(status) ? 'OTEL_EVAL_UNAVAILABLE' : 'OTEL_EVAL_TARGET';
  throw new OtelEvalError(code, `expected ${label} to answer with 2xx, got ${status}`, { source: label });
}

async function send(options: HttpTargetOptions, label: string, call: StepCall, runId: string): Promise<Response> {
  const { input, conversation } = call;
  try {
    return await fetch(options.url, {
      method: options.method ?? 'POST',
      headers: {
        'content-type': 'application/json',
        ...options.headers,
        traceparent: call.traceparent,
        baggage: `otel_eval.run.id=${runId}`,
      },
      body: JSON.stringify(fillTemplate(options.body ?? defaultBody, { input, conversation })),
      redirect: 'error',
      signal: call.signal,
    });
  } catch (cause) {
    throw broken(label, cause);
  }
}

function broken(label: string, cause: unknown): OtelEvalError {
  const code = causeCode(cause);
  const errorCode = unavailableCodes.has(code) ? 'OTEL_EVAL_UNAVAILABLE' : 'OTEL_EVAL_TARGET';
  return new OtelEvalError(errorCode, `no answer from ${label}: ${code || 'the request failed'}`, {
    source: label,
    cause,
  });
}

/** System error codes only: messages may hold addresses with credentials. */
function causeCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const code = (at as NodeJS.ErrnoException).code;
    if (typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code)) return code;
  }
  return '';
}
