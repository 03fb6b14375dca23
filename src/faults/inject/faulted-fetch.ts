import type { FaultFailure } from '../kinds/fault.ts';
import type { FaultSession } from './fault-session.ts';

type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` with the row's faults below it: give it to the client under test, under its retries. Only requests made while a
 * wrapped tool runs are hit, so the model's own requests pass.
 *
 * @example
 * const client = createClient({ fetch: faultedFetch(session) });
 */
export function faultedFetch(session: FaultSession, send: Fetch = globalThis.fetch): Fetch {
  return async (input, init) => {
    const request = new Request(input as ConstructorParameters<typeof Request>[0], init);
    const text = await request.clone().text();
    const run = async (body?: unknown): Promise<unknown> => {
      const changed =
        body === undefined ? request.clone() : new Request(request.clone(), { body: JSON.stringify(body) });
      return parsed(await (await send(changed)).text());
    };
    const result = await session.request({ arguments: parsed(text), signal: request.signal, run });
    if (result === undefined || 'inapplicable' in result) return send(request);
    return 'returned' in result ? Response.json(result.returned) : failing(result.failure);
  };
}

/**
 * Puts the faults below the `fetch` of this process; the function that comes back takes them out again. One session at a
 * time.
 */
export function installFaultedFetch(session: FaultSession): () => void {
  const before = globalThis.fetch;
  globalThis.fetch = faultedFetch(session, before);
  return () => {
    globalThis.fetch = before;
  };
}

function failing({ type, message, status, retryAfterSeconds }: FaultFailure): Response {
  if (status === null) throw new DOMException(message, type);
  const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  return Response.json({ error: { type, message } }, { status, headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
