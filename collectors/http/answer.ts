/** What a server said, whole, inflated and within bounds. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** Value of a header, lower-case name; `undefined` where absent. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** The body as text. */
export function textOf(answer: Answer): string {
  return new TextDecoder().decode(answer.body);
}

/** The body as a JSON object, `undefined` where it is none, whatever its content type says. */
export function jsonOf(answer: Answer): Record<string, unknown> | undefined {
  const text = textOf(answer);
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The start of a plain-text answer on one line, fit for an error message. */
export function wordsOf(answer: Answer): string {
  const text = textOf(answer)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
