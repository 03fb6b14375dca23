import { createHash } from 'node:crypto';
import type { Run } from '../../agent/run.ts';
import { canonicalJson } from '../../trace/canonical-json.ts';
import { startOrder } from '../read/visible-calls.ts';

/** Settings of a request that change what a model does. */
const settings = [
  'gen_ai.request.model',
  'gen_ai.request.temperature',
  'gen_ai.request.top_p',
  'gen_ai.request.seed',
  'gen_ai.request.max_tokens',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
];

/**
 * Fingerprint of all that the model was given before anything had happened: messages, tools, settings. `null` where the
 * trace does not hold the messages.
 */
export function firstRequest(run: Run): string | null {
  const [first] = run.modelCalls.toSorted(startOrder);
  const messages = first?.inputMessages();
  if (first === undefined || messages === undefined) return null;
  const said = messages.map(({ role, text }) => [role, text]);
  const asked = settings.map((name) =>
    first.spans.map(({ attributes }) => attributes.get(name) ?? null).find((value) => value !== null),
  );
  return `sha256:${createHash('sha256')
    .update(canonicalJson([said, asked.map((value) => value ?? null)]))
    .digest('hex')}`;
}
