import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { Answer } from './answer.ts';
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
  /** Longest silence: to the first byte, and between two. */
  readonly silenceMs: number;
  /** Bytes of a body at most, as sent and inflated. */
  readonly maxBytes: number;
}

/**
 * Asks once. Any status is an answer; a failure below HTTP is thrown as what it means, silence as a `MomentaryFailure`,
 * a body beyond the bound as `OTEL_EVAL_TOO_LARGE`.
 */
export async function exchange(how: Exchange, question: Question, signal: AbortSignal): Promise<Answer> {
  const silence = how.watch.over(how.silenceMs, signal);
  try {
    const { statusCode, headers, body } = await how.dispatcher.request({
      origin: how.address.origin,
      path: pathOf(how.address, question),
      method: 'GET',
      headers: {
        ...how.headers,
        accept: question.accept,
        ...(how.address.loopback ? {} : { 'accept-encoding': 'gzip' }),
      },
      signal: silence.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    silence.heard();
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      silence.heard();
      bytes += chunk.length;
      if (bytes > how.maxBytes) throw tooLarge(how);
      chunks.push(chunk);
    }
    const header = (name: string) => firstOf(headers[name]);
    const sent = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    return {
      status: statusCode,
      contentType: (header('content-type') ?? '').toLowerCase(),
      header,
      body: await inflated(how, sent, header('content-encoding')),
    };
  } catch (failure) {
    if (OtelEvalError.is(failure) || failure instanceof MomentaryFailure) throw failure;
    signal.throwIfAborted();
    if (silence.tooLong) throw new MomentaryFailure(`no answer within ${how.silenceMs / 1_000} s`);
    throw networkFailure(failure, how.address);
  } finally {
    silence.end();
  }
}

function pathOf({ prefix, parameters }: ServerAddress, question: Question): string {
  const all = new URLSearchParams([...parameters, ...(question.parameters ?? [])]).toString();
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

async function inflated(how: Exchange, body: Uint8Array, encoding = 'identity'): Promise<Uint8Array> {
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
