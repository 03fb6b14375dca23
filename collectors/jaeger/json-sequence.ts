/**
 * Splits a text of several JSON documents one after the other, as a streaming gateway sends them. A text that is one
 * document comes back as it is; broken text comes back too, for its parser to complain of.
 */
export function jsonDocuments(text: string): string[] {
  const documents: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { index, 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]|[}\]]/gs)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') {
      depth--;
      if (depth > 0) continue;
      documents.push(text.slice(start, index + 1).trim());
      start = index + 1;
    }
  }
  const rest = text.slice(start).trim();
  return rest === '' ? documents : [...documents, rest];
}
