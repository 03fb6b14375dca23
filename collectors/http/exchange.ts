import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { Clock } from '../polling/clock.ts';
import type { Until } from '../polling/until.ts';
import type { Answer } from './answer.ts';
import { IncomingAnswer } from './incoming-answer.ts';
import { MomentaryFailure } from './momentary-failure.ts';
import { networkFailure } from './network-failure.ts';
import type { ServerAddress } from './server-address.ts';
import type { SilenceWatch } from './silence-watch.ts';

export interface Question {
  /** Below the prefix, starting with a slash. */
  readonly path: string;
  readonly parameters?: URLSearchParams;
  readonly accept: string;
  /** Answers that this question can make sense of, although they look like a refusal. */
  readonly takes?: (answer: Answer) => boolean;
}

export interface Exchange {
  readonly address: ServerAddress;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly watch: SilenceWatch;
  readonly clock: Clock;
  /** Longest silence: to the first byte, and between two. */
  readonly silenceMs: number;
  /** Bytes of a body at most, as sent and inflated. */
  readonly maxBytes: number;
}

/**
 * Asks once. Any status is an answer; a failure below HTTP is thrown as what it means, silence and an answer that is not
 * whole at the deadline as a `MomentaryFailure`, a body beyond the bound as `OTEL_EVAL_TOO_LARGE`.
 */
export async function exchange(how: Exchange, question: Question, { deadline, signal }: Until): Promise<Answer> {
  const incoming = new IncomingAnswer({
    clock: how.clock,
    silenceMs: Math.min(how.silenceMs, Math.max(1, deadline.remainingMs())),
    endMs: deadline.endMs,
    maxBytes: how.maxBytes,
    tooLarge: () => tooLarge(how),
  });
  how.watch.over(incoming, signal);
  try {
    how.dispatcher.dispatch(requestOf(how, question), incoming);
    const { status, headers, body } = await incoming.whole;
    const header = (name: string) => firstOf(headers[name]);
    const encoding = header('content-encoding');
    return {
      status,
      contentType: (header('content-type') ?? '').toLowerCase(),
      header,
      body: encoding === undefined ? body : await inflated(how, body, encoding),
    };
  } catch (failure) {
    if (OtelEvalError.is(failure) || failure instanceof MomentaryFailure) throw failure;
    signal.throwIfAborted();
    throw networkFailure(failure, how.address);
  } finally {
    how.watch.ended(incoming);
  }
}

function requestOf({ address, headers }: Exchange, question: Question): Dispatcher.DispatchOptions {
  return {
    origin: address.origin,
    path: pathOf(address, question),
    method: 'GET',
    headers: {
      ...headers,
      accept: question.accept,
      ...(address.loopback ? {} : { 'accept-encoding': 'gzip' }),
    },
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function pathOf({ prefix, parameters }: ServerAddress, question: Question): string {
  const [ofAddress, ofQuestion] = [parameters.toString(), question.parameters?.toString() ?? ''];
  const all = ofAddress + (ofAddress === '' || ofQuestion === '' ? '' : '&') + ofQuestion;
  return prefix + question.path + (all === '' ? '' : `?${all}`);
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

const inflaters = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

async function inflated(how: Exchange, body: Uint8Array, encoding: string): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '' || body.length === 0) return body;
  if (!Object.hasOwn(inflaters, name)) {
    throw new OtelEvalError(
      'OTEL_EVAL_WRONG_SERVER',
      `${how.address.shown}: its answer is in an encoding we did not ask for`,
      {
        source: how.address.shown,
      },
    );
  }
  try {
    return await inflaters[name as keyof typeof inflaters](body, { maxOutputLength: how.maxBytes });
  } catch (failure) {
    if ((failure as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(how);
    throw new MomentaryFailure(`its answer is broken as ${name}`);
  }
}

function tooLarge({ address, maxBytes }: Exchange): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_TOO_LARGE', `${address.shown}: one answer is larger than ${maxBytes} bytes`, {
    source: address.shown,
  });
}
