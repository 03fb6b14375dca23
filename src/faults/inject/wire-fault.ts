import { AsyncLocalStorage } from 'node:async_hooks';
import { context } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import type { FaultCall, FaultFailure, FaultResult } from '../kinds/fault.ts';

/** A fault that one request on the wire is to meet. */
export type WireFault = (request: Pick<FaultCall, 'arguments' | 'signal' | 'run'>) => Promise<FaultResult>;

/** A tool call under way below which requests are made. */
export interface WireCall {
  /** The fault of this try, or none. Asked once for each request. */
  next(url: string): WireFault | undefined;
}

/** Which call a request belongs to: carried by the async context, so that trials that run at once never meet. */
const underway = new AsyncLocalStorage<WireCall | undefined>();

/** Requests that `work` makes belong to this call. */
export function duringCall<Result>(call: WireCall, work: () => Result): Result {
  return underway.run(call, work);
}

/** A request that was asked about on one layer is not asked about again on a lower one. */
export function asked<Result>(work: () => Result): Result {
  return underway.run(undefined, work);
}

/**
 * The fault that a request made here and now is to meet. `undefined` outside of a tool call that a row means, and for
 * what an exporter of spans sends.
 */
export function wireFault(url: string): WireFault | undefined {
  const call = underway.getStore();
  return call === undefined || isTracingSuppressed(context.active()) ? undefined : call.next(url);
}

/** What the real server said; `raw` in terms of the client. */
export interface WireAnswer<Raw> {
  readonly raw: Raw;
  readonly status: number;
  readonly text: string;
}

export interface WireRequest<Raw> {
  /** Of the body. */
  readonly text: string;
  readonly signal: AbortSignal | undefined;
  /** Carries the request out, with another body where one is given. */
  readonly send: (body?: string) => Promise<WireAnswer<Raw>>;
}

/** What the client gets: the real answer, a made one, or a failure, with `status: null` where no answer comes at all. */
export type WireOutcome<Raw> =
  | { readonly passed: Raw }
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly broken: FaultFailure };

/** Lets a request meet its fault; rejects as the client's own request does, or with the reason of its signal. */
export async function meetFault<Raw>(fault: WireFault, request: WireRequest<Raw>): Promise<WireOutcome<Raw>> {
  let sent: WireAnswer<Raw> | undefined;
  let answer: unknown;
  const run = async (body?: unknown): Promise<unknown> => {
    sent = await asked(() => request.send(body === undefined ? undefined : JSON.stringify(body)));
    if (sent.status >= 400) throw new RealFailure();
    answer = parsed(sent.text);
    return answer;
  };
  try {
    const result = await fault({ arguments: parsed(request.text), signal: request.signal, run });
    if ('failure' in result) return failed(result.failure);
    if ('returned' in result && (sent === undefined || result.returned !== answer)) {
      return { status: sent?.status ?? 200, headers: json, body: JSON.stringify(result.returned) };
    }
  } catch (error) {
    if (!(error instanceof RealFailure)) throw error;
  }
  // Carried out already, it is not carried out again.
  return { passed: (sent ?? (await asked(() => request.send()))).raw };
}

/** The server failed by itself: what the client gets is that, and no fault of ours. */
class RealFailure extends Error {}

const json = { 'content-type': 'application/json' };

function failed(failure: FaultFailure): WireOutcome<never> {
  const { type, message, status, retryAfterSeconds } = failure;
  if (status === null) return { broken: failure };
  const headers = retryAfterSeconds === null ? json : { ...json, 'retry-after': String(retryAfterSeconds) };
  return { status, headers, body: JSON.stringify({ error: { type, message } }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
