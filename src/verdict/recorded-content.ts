import type { ModelCall, Run } from '../agent/run.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { View } from './assertion.ts';
import type { MissingEvidence } from './verdict.ts';
import { counted } from './wording.ts';

/**
 * What was really sent to and received from a model, to be found in one of its calls. One text stands somewhere in the
 * messages; a list is all of them, in order, each whole. A text may be given by its keyed digest (`hmac-sha256:…`).
 */
export interface SentContent {
  readonly input: string | readonly string[];
  readonly output: string | readonly string[];
  /** Texts that were recalled from memory or sources, and admitted to the input. */
  readonly recall: readonly string[];
}

type Digest = (value: unknown) => string | null;

/** True where one and the same model call holds input, output and each recalled text. Unrelated words are no evidence. */
export function holdsContent(run: Run, { input, output, recall }: SentContent, digest: Digest): boolean {
  return run.modelCalls.some((call) => {
    const sent = textsSent(call);
    const received = (call.outputMessages() ?? []).flatMap(textsOfMessage);
    return (
      isThere(sent, input, digest) &&
      isThere(received, output, digest) &&
      recall.every((text) => isIn(sent, text, digest))
    );
  });
}

/** Why the content of a run cannot be compared; empty where it can. */
export function incomparable({ run, digest }: View, recorded: SentContent): readonly MissingEvidence[] {
  const missing: MissingEvidence[] = [];
  if (run.modelCalls.length === 0) {
    missing.push({ kind: 'visibility', message: 'no model call is shown whose content could be compared' });
  }
  const texts = [recorded.input, recorded.output, recorded.recall].flat();
  if (texts.some(isDigest) && digest('') === null) {
    const message = 'what was sent is given by digests, and no digest key is set (OTEL_EVAL_DIGEST_KEY)';
    missing.push({ kind: 'content', message });
  }
  const cut = run.modelCalls.filter(({ spans }) => spans.some(({ attributes }) => truncations(attributes) > 0));
  if (cut.length > 0) {
    const message = `content of ${counted(cut.length, 'model call')} was cut at the ceiling, so what was sent may have stood there; raise ceilingBytes of the instrumentation`;
    missing.push({ kind: 'content', message });
  }
  return missing;
}

function truncations(attributes: ReadonlyMap<string, unknown>): number {
  return Number(attributes.get(ownAttributes.truncatedCount) ?? 0);
}

function textsSent(call: ModelCall): readonly string[] {
  return (call.inputMessages() ?? []).flatMap(textsOfMessage);
}

interface Spoken {
  readonly text: string;
  readonly toolResults: readonly { readonly result: unknown }[];
}

/** The texts of a message, results of tools as JSON; one that only asks for a tool says nothing. */
export function textsOfMessage({ text, toolResults }: Spoken): string[] {
  const results = toolResults.map(({ result }) => (typeof result === 'string' ? result : JSON.stringify(result ?? '')));
  return [text, ...results].filter((each) => each !== '');
}

function isThere(texts: readonly string[], wanted: string | readonly string[], digest: Digest): boolean {
  if (typeof wanted === 'string') return isIn(texts, wanted, digest);
  return wanted.length === texts.length && wanted.every((each, at) => isWhole(texts[at] ?? '', each, digest));
}

function isIn(texts: readonly string[], wanted: string, digest: Digest): boolean {
  return isDigest(wanted)
    ? texts.some((text) => isWhole(text, wanted, digest))
    : texts.some((text) => text.includes(wanted));
}

function isWhole(text: string, wanted: string, digest: Digest): boolean {
  return isDigest(wanted) ? digest(text) === wanted : text === wanted;
}

function isDigest(text: string): boolean {
  return text.startsWith('hmac-sha256:');
}
