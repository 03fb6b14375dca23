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
  return causes;
}
