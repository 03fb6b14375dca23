import { type JaegerOptions, jaegerCollector } from '../../collectors/jaeger.ts';
import type { RemoteOptions } from '../../collectors/polling/remote-options.ts';
import { type TempoOptions, tempoCollector } from '../../collectors/tempo.ts';
import type { CollectedTrace, Collection, Collector } from '../../src/trace/trace-set.ts';
import { type Behaviour, ReplayServer, type ServedRequest } from './replay-server.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface Collected {
  readonly groups: readonly (readonly CollectedTrace[])[];
  readonly traces: readonly CollectedTrace[];
  /** Thrown while collecting. */
  readonly failure: unknown;
  readonly collection: Collection;
}

/** Reads a collector to its end and closes it. */
export async function collected(collector: Collector, signal?: AbortSignal): Promise<Collected> {
  const collection = await collector.collect(signal);
  const groups: (readonly CollectedTrace[])[] = [];
  let failure: unknown;
  try {
    for await (const group of collection.groups()) groups.push(group);
  } catch (thrown) {
    failure = thrown;
  }
  await collector.close();
  return { groups, traces: groups.flat(), failure, collection };
}

export interface Against extends Collected {
  readonly server: ReplayServer;
  readonly clock: VirtualClock;
}

type Timed = (request: ServedRequest, count: number, clock: VirtualClock) => ReturnType<Behaviour>;

/** A Tempo collector against a server that behaves so, in time that does not pass. */
export function tempoAgainst(
  behaviour: Timed,
  options: Partial<TempoOptions> & { readonly prefix?: string } = {},
): Promise<Against> {
  return against(tempoCollector, behaviour, options);
}

/** The same for Jaeger. */
export function jaegerAgainst(
  behaviour: Timed,
  options: Partial<JaegerOptions> & { readonly prefix?: string } = {},
): Promise<Against> {
  return against(jaegerCollector, behaviour, options);
}

async function against<Options extends RemoteOptions>(
  make: (options: Options) => Collector,
  behaviour: Timed,
  options: Partial<Options> & { readonly prefix?: string },
): Promise<Against> {
  const clock = new VirtualClock();
  const server = await ReplayServer.start((request, count) => behaviour(request, count, clock));
  const { prefix = '', ...rest } = options;
  try {
    const fixed = { url: server.url + prefix, clock, dispatcher: clock.dispatcher, random: () => 0.5 };
    const collector = make({ ...fixed, ...rest } as unknown as Options);
    return { ...(await collected(collector)), server, clock };
  } finally {
    await server.stop();
    await clock.close();
  }
}
