import type { PolicyDocument } from '../run/run-document.ts';
import type { TrialPolicy } from './trial-policy.ts';

/** A policy as it is written in a suite; absent: every trial must pass. */
export function policyOf(document: PolicyDocument | undefined): TrialPolicy {
  if (document === undefined || document === 'all') return { kind: 'all' };
  if ('passes' in document) return { kind: 'passes', passes: document.passes };
  if ('passHatK' in document) return { kind: 'passHatK', k: document.passHatK, minimum: document.minimum };
  return { kind: 'rate', minimum: document.rate, confidence: document.confidence ?? 0.95 };
}
