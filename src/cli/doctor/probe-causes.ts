import type { Cause } from './cause.ts';
import type { Probed } from './probe.ts';

/** What a run of the app showed. */
export function probeCauses(probed: Probed): Cause[] {
  if (!probed.provider) {
    return [
      {
        id: 'no-provider',
        found: 'the app ran and registered no tracer provider, so every span was a no-op',
        remedy:
          'start the app with node --import otel-eval/register, or register your SDK before the first import of the agent',
        rank: 0,
      },
    ];
  }
  const causes: Cause[] = [];
  if (
    probed.sampler !== null &&
    /^AlwaysOffSampler|root=AlwaysOffSampler|TraceIdRatioBased\{0\}/.test(probed.sampler)
  ) {
    causes.push({
      id: 'sampler-off',
      found: 'the provider has a sampler that samples nothing',
      remedy: 'leave the sampler out, or use ParentBasedSampler with AlwaysOnSampler',
      rank: 0,
    });
  }
  if (probed.processors === 0) {
    causes.push({
      id: 'no-processor',
      found: 'the provider has no span processor, so spans go nowhere',
      remedy: 'give it spanProcessors: [agentSpanProcessor({ next: exporter })]',
      rank: 0,
    });
  }
  if (probed.pending > 0) {
    const by = probed.exitCalled ? 'the app called process.exit()' : 'the app ended';
    causes.push({
      id: 'no-flush',
      found: `${by} while ${probed.pending} spans were waiting to be sent`,
      remedy: 'await provider.shutdown() at the end, before process.exit(); otel-eval/register does so by itself',
      rank: 0,
    });
  }
  return causes.length > 0 ? causes : unexported(probed);
}

/** Nothing left, and no member of the SDK says why: the first count that is zero does. */
function unexported({ spans, exitCalled }: Probed): Cause[] {
  if (spans === null) return [];
  const { started, recorded, ended, exported, requests } = spans;
  const cause = (id: string, found: string, remedy: string): Cause[] => [{ id, found, remedy, rank: 0 }];
  if (started === 0 && recorded === 0) {
    const remedy =
      'switch the telemetry of your framework on (AI SDK: experimental_telemetry: { isEnabled: true }), or load its instrumentation before it';
    return cause('no-span', 'the app ran with a provider, and 0 spans were started', remedy);
  }
  if (recorded === 0) {
    const found = `${started} spans were started, and the sampler recorded 0 of them`;
    return cause('sampled-out', found, 'set OTEL_TRACES_SAMPLER=parentbased_always_on while you look');
  }
  if (ended === 0) {
    return cause(
      'no-end',
      `${recorded} spans were started, and 0 of them ended`,
      'call span.end(), also where a step throws',
    );
  }
  if (exported > 0 || requests > 0) return [];
  const by = exitCalled ? 'the app called process.exit()' : 'the app ended';
  const found = `${ended} spans ended, and 0 were seen to be exported when ${by}`;
  const remedy =
    'await sdk.shutdown() (or provider.shutdown()) at the end, before process.exit(), and see that the exporter is reached';
  return cause('not-exported', found, remedy);
}
