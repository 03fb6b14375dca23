/** What is tried on a client before it may ask a real provider. */
export type ProbeName = 'output_cap' | 'callbacks_first' | 'no_retry' | 'no_cache' | 'one_model';

export interface Probe {
  readonly name: ProbeName;
  readonly passed: boolean;
  /** What was seen, in a clause. */
  readonly observed: string;
}

export interface ProbeReport {
  readonly passed: boolean;
  readonly probes: readonly Probe[];
}

/** A client as the app makes it, on a wire that goes nowhere. */
export interface ProbeGivens {
  /** The one model that is approved, as requests name it. */
  readonly model: string;
  readonly maxTokens: number;
  /** Makes a fresh client with this `fetch`; `onRequest` stands where its callbacks, or the request guard, stand. */
  create(wire: { readonly fetch: typeof globalThis.fetch; readonly onRequest: () => void }): {
    ask(prompt: string): Promise<unknown>;
  };
  /** A good answer in the provider's own format. */
  answer(): Response;
}

interface Seen {
  readonly url: string;
  readonly body: unknown;
  /** Callbacks that had fired when it went out. */
  readonly callbacks: number;
}

/**
 * Tries, without a network, whether the controls of a client hold: the output cap is on the wire, callbacks fire before
 * anything goes out, a failure is not tried again behind the agent's back, an answer is not taken from a cache, and no other
 * model or address is asked instead.
 */
export async function probeModel(givens: ProbeGivens): Promise<ProbeReport> {
  const fine = new Wire(givens, () => givens.answer());
  await fine.ask('first');
  const again = new Wire(givens, () => givens.answer());
  await again.ask('the same');
  await again.ask('the same');
  const failing = new Wire(givens, () => new Response('{"error":{"message":"unavailable"}}', { status: 503 }));
  await failing.ask('first');
  const all = [...fine.seen, ...again.seen, ...failing.seen];
  const probes = [
    outputCap(fine.seen, givens),
    callbacksFirst(all),
    counted('no_retry', failing.seen.length, 1, 'after a 503'),
    counted('no_cache', again.seen.length, 2, 'for two equal questions'),
    oneModel(all, givens),
  ];
  return { passed: probes.every(({ passed }) => passed), probes };
}

/** One client on a wire of its own, which counts and answers. */
class Wire {
  readonly seen: Seen[] = [];
  #callbacks = 0;
  readonly #client: { ask(prompt: string): Promise<unknown> };

  constructor({ create }: ProbeGivens, answer: () => Response) {
    this.#client = create({
      onRequest: () => {
        this.#callbacks += 1;
      },
      fetch: async (input, init) => {
        const request = new Request(input, init);
        this.seen.push({ url: request.url, body: await bodyOf(request), callbacks: this.#callbacks });
        return answer();
      },
    });
  }

  /** What a client makes of an answer is its own business: a failure must only leave its requests countable. */
  async ask(prompt: string): Promise<void> {
    await this.#client.ask(prompt).catch(() => {});
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return JSON.parse(await request.text());
  } catch {
    return undefined;
  }
}

const caps = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'num_predict'];

function outputCap([first]: readonly Seen[], { maxTokens }: ProbeGivens): Probe {
  const found = first === undefined ? undefined : numberAt(first.body, caps);
  const observed =
    first === undefined ? 'no request' : found === undefined ? 'no cap on the wire' : `a cap of ${found}`;
  return { name: 'output_cap', passed: found === maxTokens, observed };
}

/** The first of these keys, at the top or one level below it. */
function numberAt(body: unknown, keys: readonly string[]): number | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const places = [body, ...Object.values(body)].filter((each) => typeof each === 'object' && each !== null);
  const values = places.flatMap((place) => keys.map((key) => (place as Record<string, unknown>)[key]));
  return values.find((value) => typeof value === 'number');
}

function callbacksFirst(seen: readonly Seen[]): Probe {
  const late = seen.filter(({ callbacks }) => callbacks === 0).length;
  const observed = seen.length === 0 ? 'no request' : `${late} of ${seen.length} requests before any callback`;
  return { name: 'callbacks_first', passed: seen.length > 0 && late === 0, observed };
}

function counted(name: ProbeName, requests: number, wanted: number, when: string): Probe {
  return {
    name,
    passed: requests === wanted,
    observed: `${requests} ${requests === 1 ? 'request' : 'requests'} ${when}`,
  };
}

function oneModel(seen: readonly Seen[], { model }: ProbeGivens): Probe {
  const hosts = new Set(seen.map(({ url }) => new URL(url).host));
  const named = (each: Seen): boolean =>
    (each.body as { readonly model?: unknown } | undefined)?.model === model || each.url.includes(`/${model}:`);
  const others = seen.filter((each) => !named(each)).length;
  const observed = `${others} of ${seen.length} requests for another model, ${hosts.size === 1 ? 'one address' : `${hosts.size} addresses`}`;
  return { name: 'one_model', passed: seen.length > 0 && others === 0 && hosts.size === 1, observed };
}
