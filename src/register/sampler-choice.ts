import { diag } from '@opentelemetry/api';

/** Which roots are sampled, and whether a caller's decision goes before it. */
export interface SamplerChoice {
  readonly followsParent: boolean;
  readonly roots: 'all' | 'none' | 'share';
  /** Of roots, from 0 to 1; 1 where nothing is said. */
  readonly share: number;
}

const everything: SamplerChoice = { followsParent: true, roots: 'all', share: 1 };
const kinds: Readonly<Record<string, SamplerChoice['roots']>> = {
  always_on: 'all',
  always_off: 'none',
  traceidratio: 'share',
};

/**
 * The sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` ask for; everything where they say nothing, or
 * nothing that can be read.
 *
 * @example
 * samplerChoice({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }).share; // 0.1
 */
export function samplerChoice(environment: Readonly<Record<string, string | undefined>>): SamplerChoice {
  const name = (environment['OTEL_TRACES_SAMPLER'] ?? '').trim().toLowerCase();
  if (name === '') return everything;
  const roots = kinds[name.replace(/^parentbased_/, '')];
  if (roots === undefined) {
    diag.warn('otel-eval: OTEL_TRACES_SAMPLER names no sampler that is known; every trace is sampled');
    return everything;
  }
  return {
    followsParent: name.startsWith('parentbased_'),
    roots,
    share: roots === 'share' ? shareFrom(environment['OTEL_TRACES_SAMPLER_ARG']) : 1,
  };
}

function shareFrom(argument: string | undefined): number {
  if (argument === undefined || argument.trim() === '') return 1;
  const share = Number(argument);
  if (share >= 0 && share <= 1) return share;
  diag.warn('otel-eval: OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1; every trace is sampled');
  return 1;
}
