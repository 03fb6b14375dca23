import type { Run } from '../agent/run.ts';

/** What was really sent to and received from a model, to be found in one of its calls. */
export interface SentContent {
  readonly input: string;
  readonly output: string;
  /** Texts that were recalled from memory or sources, and admitted to the input. */
  readonly recall: readonly string[];
}

/** How a text that is given is compared: as it is, or by its keyed digest (`hmac-sha256:…`). */
export type Digest = (value: unknown) => string | null;

/** True where one and the same model call holds input, output and each recalled text. Unrelated words are no evidence. */
export function holdsContent(run: Run, { input, output, recall }: SentContent, digest: Digest): boolean {
  return run.modelCalls.some((call) => {
    const sent = (call.inputMessages() ?? []).flatMap(textsOf);
    const received = (call.outputMessages() ?? []).flatMap(textsOf);
    return (
      isIn(sent, input, digest) && isIn(received, output, digest) && recall.every((text) => isIn(sent, text, digest))
    );
  });
}

interface Spoken {
  readonly text: string;
  readonly toolResults: readonly { readonly result: unknown }[];
}

function textsOf({ text, toolResults }: Spoken): string[] {
  return [
    text,
    ...toolResults.map(({ result }) => (typeof result === 'string' ? result : JSON.stringify(result ?? ''))),
  ];
}

function isIn(texts: readonly string[], wanted: string, digest: Digest): boolean {
  if (wanted.startsWith('hmac-sha256:')) return texts.some((text) => digest(text) === wanted);
  return texts.some((text) => text.includes(wanted));
}
