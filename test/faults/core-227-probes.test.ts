import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { type ProbeGivens, probeModel } from '../../src/faults/core-227/probe-model.ts';

/** The client that the OpenAI Agents SDK brings with it, as far as it is used here. */
type Client = new (options: {
  readonly apiKey: string;
  readonly maxRetries: number;
  readonly fetch: typeof globalThis.fetch;
  readonly baseURL: string;
}) => { readonly chat: { readonly completions: { create(body: object): Promise<unknown> } } };

const ours = createRequire(import.meta.url);
const { OpenAI } = createRequire(ours.resolve('@openai/agents'))('openai') as { readonly OpenAI: Client };

const model = 'gpt-4o-mini-2024-07-18';
const answered = { id: 'a', object: 'chat.completion', model, created: 1, choices: [] };
const answer = () =>
  Response.json({ ...answered, choices: [{ index: 0, message: { role: 'assistant', content: 'ok' } }] });

interface ClientOptions {
  readonly retries?: number;
  /** `null`: none. */
  readonly cap?: number | null;
  readonly cached?: boolean;
  readonly fallback?: string;
  readonly lateCallback?: boolean;
}

/** What the real client library does, with one thing wrong at a time. */
function openai({
  retries = 0,
  cap = 256,
  cached = false,
  fallback,
  lateCallback = false,
}: ClientOptions = {}): ProbeGivens {
  return {
    model,
    maxTokens: 256,
    answer,
    create({ fetch, onRequest }) {
      const client = new OpenAI({ apiKey: 'none', maxRetries: retries, fetch, baseURL: 'http://model.test/v1' });
      const known = new Map<string, unknown>();
      const send = async (prompt: string, name: string) => {
        if (!lateCallback) onRequest();
        const messages = [{ role: 'user', content: prompt }];
        const result = await client.chat.completions.create({
          model: name,
          messages,
          ...(cap === null ? {} : { max_tokens: cap }),
        });
        if (lateCallback) onRequest();
        return result;
      };
      return {
        async ask(prompt) {
          if (cached && known.has(prompt)) return known.get(prompt);
          const result = await send(prompt, model).catch((error: unknown) => {
            if (fallback === undefined) throw error;
            return send(prompt, fallback);
          });
          known.set(prompt, result);
          return result;
        },
      };
    },
  };
}

const told = async (options?: ClientOptions) => {
  const { passed, probes } = await probeModel(openai(options));
  return { passed, broken: probes.filter((probe) => !probe.passed).map(({ name, observed }) => [name, observed]) };
};

describe('probes of a client before it may ask, R0-28', () => {
  test('a real client library with the approved controls passes', async () => {
    const { passed, probes } = await probeModel(openai());
    expect([passed, probes.map(({ name, observed }) => [name, observed])]).toEqual([
      true,
      [
        ['output_cap', 'a cap of 256'],
        ['callbacks_first', '0 of 4 requests before any callback'],
        ['no_retry', '1 request after a 503'],
        ['no_cache', '2 requests for two equal questions'],
        ['one_model', '0 of 4 requests for another model, one address'],
      ],
    ]);
  });

  test('hidden retries of the library', async () => {
    expect(await told({ retries: 1 })).toEqual({ passed: false, broken: [['no_retry', '2 requests after a 503']] });
  });

  test.each([
    [null, 'no cap on the wire'],
    [4_096, 'a cap of 4096'],
  ])('a cap of %j', async (cap, observed) => {
    expect(await told({ cap })).toEqual({
      passed: false,
      broken: [['output_cap', observed]],
    });
  });

  test('an answer from a cache', async () => {
    expect(await told({ cached: true })).toEqual({
      passed: false,
      broken: [['no_cache', '1 request for two equal questions']],
    });
  });

  test('another model where the first one fails', async () => {
    expect(await told({ fallback: 'other-1' })).toEqual({
      passed: false,
      broken: [
        ['no_retry', '2 requests after a 503'],
        ['one_model', '1 of 5 requests for another model, one address'],
      ],
    });
  });

  test('a callback that fires when the request is out', async () => {
    expect(await told({ lateCallback: true })).toEqual({
      passed: false,
      broken: [['callbacks_first', '3 of 4 requests before any callback']],
    });
  });

  test('a client that asks nobody proves nothing', async () => {
    const silent = { ...openai(), create: () => ({ ask: async () => 'ok' }) };
    const { passed, probes } = await probeModel(silent);
    expect([passed, probes.map((probe) => probe.passed)]).toEqual([false, [false, false, false, false, false]]);
  });
});
