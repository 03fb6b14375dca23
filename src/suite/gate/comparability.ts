import type { Projection } from './projection.ts';

/** Why two results say nothing of each other; empty where they do. */
export function whyIncomparable(baseline: Projection, candidate: Projection): string[] {
  const differences: string[] = [];
  const differ = (what: string, before: unknown, after: unknown): void => {
    if (JSON.stringify(before) !== JSON.stringify(after))
      differences.push(`${what}: ${text(before)} before, ${text(after)} now`);
  };
  differ('plan', baseline.planHash, candidate.planHash);
  differ('corpus', baseline.corpusHash, candidate.corpusHash);
  differ('profile', baseline.profile, candidate.profile);
  differ('models', baseline.models, candidate.models);
  differ('version of otel-eval', baseline.harness, candidate.harness);
  return differences;
}

function text(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value).slice(0, 80);
}
