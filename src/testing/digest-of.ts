import { createHmac } from 'node:crypto';
import { canonicalJson } from '../trace/canonical-json.ts';

/** `hmac-sha256:` and the digest of the canonical JSON under `OTEL_EVAL_DIGEST_KEY`; `null` without that key. */
export function digestOf(value: unknown): string | null {
  const key = process.env['OTEL_EVAL_DIGEST_KEY'];
  if (key === undefined || key === '') return null;
  return `hmac-sha256:${createHmac('sha256', key).update(canonicalJson(value)).digest('hex')}`;
}
