import { ownAttributes } from '../../src/trace/own-attributes.ts';
import { type Answer, jsonOf, textOf } from '../http/answer.ts';
import type { HttpSource } from '../http/http-source.ts';
import type { FoundTraces } from '../polling/finding.ts';
import { type Hit, searchWindow, windowOf } from '../polling/search-window.ts';
import type { Until } from '../polling/until.ts';
import type { WantedTraces } from '../polling/wanted-traces.ts';
import { isRouteMissing, isWebPage, notJaeger } from './jaeger-answers.ts';
import { hitsOfV1, hitsOfV3 } from './search-hits.ts';

/** Spans are searchable when the server's own batch has been flushed. */
export const jaegerSearchLagMs = 10_000;

/** Whole traces come back from a search, so an answer must not hold too many. */
const pageLimit = 100;

const dayMs = 86_400_000;

/** Finds ids of traces. Jaeger searches one service at a time; without one, all that it knows are searched. */
export async function searchJaeger(server: HttpSource, wanted: WantedTraces, until: Until): Promise<FoundTraces> {
  const services = wanted.service === undefined ? await servicesOf(server, until) : [wanted.service];
  const { limit } = wanted;
  const found: FoundTraces[] = [];
  for (const service of services) {
    const ask = (since: number, end: number, hits: number) =>
      searchOnce(server, { service, since, end, hits, runId: wanted.runId }, until);
    found.push(
      await searchWindow({
        ...windowOf(wanted, server.clock.unixMs()),
        ...(limit === undefined ? {} : { limit }),
        pageLimit: limit === undefined ? pageLimit : Math.min(pageLimit, limit + 1),
        longestMs: dayMs,
        shortestMs: 1,
        hits: ask,
      }),
    );
  }
  const traceIds = [...new Set(found.flatMap((each) => each.traceIds))];
  return { traceIds: traceIds.slice(0, limit), notes: found.flatMap((each) => each.notes) };
}

interface ServiceWindow {
  readonly service: string;
  readonly since: number;
  readonly end: number;
  readonly hits: number;
  readonly runId: string | undefined;
}

async function searchOnce(server: HttpSource, window: ServiceWindow, until: Until): Promise<readonly Hit[]> {
  const { shown } = server.address;
  const v3 = await ask(server, '/api/v3/traces', v3Parameters(window), until);
  if (!isRouteMissing(v3)) return v3.status === 404 ? [] : hitsOfV3(textOf(v3), shown);
  const v1 = await ask(server, '/api/traces', v1Parameters(window), until);
  if (isRouteMissing(v1)) throw notJaeger(shown, `HTTP ${v1.status} and no search`);
  return v1.status === 404 ? [] : hitsOfV1(jsonOf(v1)?.['data'], shown);
}

/** Both spellings and both names of the limit: each version knows its own and ignores the rest. */
function v3Parameters({ service, since, end, hits, runId }: ServiceWindow): URLSearchParams {
  const both: Record<string, string> = {
    service_name: service,
    start_time_min: new Date(since).toISOString(),
    start_time_max: new Date(end).toISOString(),
    search_depth: String(hits),
    raw_traces: 'true',
  };
  const parameters = new URLSearchParams({ 'query.num_traces': String(hits) });
  for (const [name, value] of Object.entries(both)) {
    parameters.set(`query.${name}`, value);
    parameters.set(`query.${name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`, value);
  }
  // Some versions ignore it without a word; what comes back is looked at again.
  if (runId !== undefined) parameters.set('query.attributes', JSON.stringify({ [ownAttributes.runId]: runId }));
  return parameters;
}

function v1Parameters({ service, since, end, hits, runId }: ServiceWindow): URLSearchParams {
  return new URLSearchParams({
    service,
    start: String(since * 1_000),
    end: String(end * 1_000),
    limit: String(hits),
    ...(runId === undefined ? {} : { tags: JSON.stringify({ [ownAttributes.runId]: runId }) }),
  });
}

async function servicesOf(server: HttpSource, until: Until): Promise<string[]> {
  for (const [path, key] of [
    ['/api/v3/services', 'services'],
    ['/api/services', 'data'],
  ] as const) {
    const answer = await ask(server, path, new URLSearchParams(), until);
    if (isRouteMissing(answer)) continue;
    const services = jsonOf(answer)?.[key] ?? [];
    return Array.isArray(services) ? services.filter((name) => typeof name === 'string').sort() : [];
  }
  throw notJaeger(server.address.shown, 'no list of services');
}

function ask(server: HttpSource, path: string, parameters: URLSearchParams, until: Until): Promise<Answer> {
  return server.ask({ path, parameters, accept: 'application/json', takes: isWebPage }, until);
}
