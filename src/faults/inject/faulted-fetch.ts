import { sharedInstallation } from './shared-installation.ts';
import { asked, meetFault, type WireAnswer, wireFault } from './wire-fault.ts';

type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` with faults below it: give it to the client under test, under its retries. Only requests made while a wrapped
 * tool runs are hit, so the model's own requests pass; the async context tells which trial a request belongs to.
 *
 * @example
 * const client = createClient({ fetch: faultedFetch() });
 */
export function faultedFetch(send: Fetch = globalThis.fetch): Fetch {
  return async (input, init) => {
    const fault = wireFault(urlOf(input));
    if (fault === undefined) return asked(() => send(input, init));
    const request = new Request(input as ConstructorParameters<typeof Request>[0], init);
    const text = await request.clone().text();
    const outcome = await meetFault(fault, {
      text,
      signal: request.signal,
      send: async (body): Promise<WireAnswer<Response>> => {
        const response = await send(body === undefined ? request.clone() : new Request(request.clone(), { body }));
        return { raw: response, status: response.status, text: await response.clone().text() };
      },
    });
    if ('passed' in outcome) return outcome.passed;
    if ('broken' in outcome) throw new DOMException(outcome.broken.message, outcome.broken.type);
    return new Response(outcome.body, { status: outcome.status, headers: outcome.headers });
  };
}

/** Puts the faults below the `fetch` of this process; the function that comes back takes them out again. */
export const installFaultedFetch: () => () => void = sharedInstallation(() => {
  const before = globalThis.fetch;
  const ours = faultedFetch(before);
  globalThis.fetch = ours;
  return () => {
    // Where somebody has wrapped it since, ours stays below theirs: outside of faulted trials it lets everything pass.
    if (globalThis.fetch === ours) globalThis.fetch = before;
  };
});

function urlOf(input: Parameters<Fetch>[0]): string {
  return typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
}
