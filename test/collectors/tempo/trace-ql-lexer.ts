/** One token of a query, by the rules that TraceQL's lexer follows (wire.md §3.1, §3.2). */
export type Token =
  | { readonly kind: 'punctuation'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'attribute'; readonly scope: string; readonly name: string };

const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** Written from the description of the language, apart from the builder; throws where Tempo would refuse. */
export function traceQlTokens(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const rest = () => query.slice(at);
  while (at < query.length) {
    const space = /^\s+/.exec(rest());
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const comment = /^(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(rest());
    if (comment !== null) {
      at += comment[0].length;
      continue;
    }
    const attribute = /^(span|resource|event|link|instrumentation)\./.exec(rest());
    if (attribute !== null) {
      at += attribute[0].length;
      tokens.push({ kind: 'attribute', scope: attribute[1] ?? '', name: name() });
      continue;
    }
    if (query[at] === '"') {
      tokens.push({ kind: 'string', value: string() });
      continue;
    }
    const punctuation = /^(&&|\|\||=~|!~|!=|>=|<=|[{}()=<>|])/.exec(rest());
    if (punctuation !== null) {
      at += punctuation[0].length;
      tokens.push({ kind: 'punctuation', text: punctuation[0] });
      continue;
    }
    const word = /^-?[A-Za-z0-9_:.]+/.exec(rest());
    if (word === null) throw new Error(`illegal character at ${at}`);
    at += word[0].length;
    tokens.push({ kind: 'word', text: word[0] });
  }
  return tokens;

  function string(): string {
    let value = '';
    for (at += 1; ; at += 1) {
      const character = query[at];
      if (character === undefined || character === '\n') throw new Error('literal not terminated');
      if (character === '\0') throw new Error('NUL');
      if (character === '"') break;
      if (character !== '\\') {
        value += character;
        continue;
      }
      at += 1;
      const letter = query[at] ?? '';
      if (letter === 'u') {
        const code = Number.parseInt(query.slice(at + 1, at + 5), 16);
        if (code >= 0xd800 && code <= 0xdfff) throw new Error('lone surrogate');
        value += String.fromCharCode(code);
        at += 4;
      } else if (letter in escapes) value += escapes[letter];
      else throw new Error('invalid char escape');
    }
    at += 1;
    return value;
  }

  function name(): string {
    let text = '';
    let quoted = false;
    for (; at < query.length; at += 1) {
      const character = query[at] ?? '';
      if (character === '"') quoted = !quoted;
      else if (quoted && character === '\\') {
        at += 1;
        if (query[at] !== '"' && query[at] !== '\\') throw new Error('invalid escape in a name');
        text += query[at];
      } else if (!quoted && /[\s{}()=~!<>&|^,]/.test(character)) break;
      else text += character;
    }
    if (quoted) throw new Error('name not terminated');
    return text;
  }
}
