/** A word ready to be pasted into a shell. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./*-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
