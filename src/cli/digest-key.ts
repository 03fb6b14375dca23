import { createHmac } from 'node:crypto';
import type { Digest } from '../agent/view.ts';
import { canonicalJson } from '../trace/canonical-json.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Context } from './context.ts';

/** The key comes from the environment, never from a flag's value. */
export function digestFrom(options: Readonly<Record<string, unknown>>, { env }: Context): Digest {
  const named = options['digestKeyEnv'];
  const name = typeof named === 'string' ? named : 'OTEL_EVAL_DIGEST_KEY';
  const key = env[name];
  if (typeof named === 'string' && (key === undefined || key === '')) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a digest key in the variable ${name}, which is not set`);
  }
  if (key === undefined || key === '') return () => null;
  return (value) => `hmac-sha256:${createHmac('sha256', key).update(canonicalJson(value)).digest('hex')}`;
}
