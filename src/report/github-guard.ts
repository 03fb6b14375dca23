import { createHash } from 'node:crypto';

/**
 * Text that GitHub's runner does not read as commands: a span named `::notice::all passed` must not speak for us. The word
 * that ends it is made of the text itself, which so cannot hold it.
 */
export function guardedText(text: string): string {
  const word = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return `::stop-commands::${word}\n${text.endsWith('\n') ? text : `${text}\n`}::${word}::\n`;
}
