// Scripts and symbols that terminals draw two columns wide.
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const zero = /\p{Mn}|\p{Me}|\u200B|\u200D|\uFE0F/u;
const onlyAscii = /^[ -~]*$/;

/** Columns that a terminal gives to a text. */
export function textWidth(text: string): number {
  if (onlyAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += zero.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** The text in at most so many columns; what is cut is marked by `…`. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const character of text) {
    width += textWidth(character);
    if (width > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Filled with blanks up to so many columns. */
export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** Lines of at most so many columns, broken between words where that is possible. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || textWidth(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** Columns of the widest of some texts; 0 of none. */
export function widestText(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
}
