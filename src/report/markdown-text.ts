import { visibleText } from './visible-text.ts';

/** Text that Markdown leaves as it is: no markup, no link, no mention of anybody. */
export function markdownText(text: string): string {
  return visibleText(text)
    .replace(/[\\`*_{}[\]()#+!|~>-]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/@/g, '&#64;')
    .replace(/(https?):/gi, '$1&#58;');
}

/** Text inside a line of HTML, where Markdown reads no markup but still finds people to mention. */
export function htmlText(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '&#64;' };
  return visibleText(text).replace(/[&<>@]/g, (character) => entities[character] ?? character);
}

/** A block of text as it is, whatever it holds. */
export function codeBlock(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}
