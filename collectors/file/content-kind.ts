import { BracketSplitter } from './bracket-splitter.ts';
import { refusal } from './foreign-forms.ts';

/** How the unpacked bytes of an input are to be cut into documents. */
export type ContentKind = 'json-lines' | 'json-values' | 'yaml' | 'protobuf' | 'protobuf-framed';

/** Bytes to look at before it is decided. */
export const headBytes: number = 1 << 20;

/**
 * Tells the kind of content by its first bytes. Throws `OTEL_EVAL_NOT_A_TRACE` with what it is instead.
 */
export function contentKind(head: Buffer, label: string): ContentKind {
  if (head.length === 0) throw refusal('empty', { source: label });
  const start = firstTelling(head);
  if (start === head.length) throw refusal('blank (white space or NUL bytes only)', { source: label });
  const first = head[start];
  if (first === 0x7b) return isOneLine(head, start) ? 'json-lines' : 'json-values';
  if (first === 0x5b) return 'json-values';
  const known = signatureOf(head);
  if (known !== undefined) throw refusal(known, { source: label });
  if (isText(head)) {
    if (isYaml(head)) return 'yaml';
    throw refusal(textName(head), { source: label });
  }
  if (isBareProtobuf(head)) return 'protobuf';
  if (isFramedProtobuf(head)) return 'protobuf-framed';
  throw refusal('binary data of another kind', { source: label });
}

/** Behind a byte order mark, white space and NUL bytes. */
function firstTelling(head: Buffer): number {
  let at = 0;
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) at = 3;
  while (at < head.length && [0, 9, 10, 13, 30, 32].includes(head[at] ?? -1)) at += 1;
  return at;
}

/** Whether the first line is one whole object: then each line is taken for one. */
function isOneLine(head: Buffer, start: number): boolean {
  const end = head.indexOf(10, start);
  const line = head.subarray(start, end === -1 ? head.length : end);
  const brackets = bracketsOf(line);
  return brackets !== undefined && !brackets.isOpen && brackets.pieces > 0;
}

/** How the brackets of one line stand; `undefined` where it is no JSON. */
export function bracketsOf(line: Buffer): { isOpen: boolean; pieces: number } | undefined {
  const wrong = (): Error => new Error('no JSON');
  const splitter = new BracketSplitter({ largest: Number.POSITIVE_INFINITY, tooLarge: wrong, notJson: wrong });
  try {
    let pieces = 0;
    for (const piece of splitter.push(line)) pieces += piece.bytes.length > 0 ? 1 : 0;
    return { isOpen: splitter.isOpen, pieces };
  } catch {
    return undefined;
  }
}

/** `TracesData`: field 1, a message, that begins with a field of `ResourceSpans`. */
function isBareProtobuf(head: Buffer): boolean {
  if (head[0] !== 0x0a) return false;
  let at = 1;
  while (at < 6 && (head[at] ?? 0) >= 0x80) at += 1;
  const isEmpty = at === 1 && head[1] === 0;
  return isEmpty || [0x0a, 0x12, 0x1a].includes(head[at + 1] ?? -1);
}

/** [4-byte big-endian length][message], repeated. */
function isFramedProtobuf(head: Buffer): boolean {
  let at = 0;
  while (at + 4 <= head.length && head.readUInt32BE(at) === 0) at += 4;
  return isBareProtobuf(head.subarray(at + 4));
}

/** A known key at the start of a line, or a list of such. */
function isYaml(head: Buffer): boolean {
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  return /^(?:- )?["']?(?:resource_?spans|resource_?logs|resource_?metrics|scope_?spans|batches)["']?[ \t]*:/im.test(
    text,
  );
}

const signatures: readonly (readonly [start: string, name: string])[] = [
  ['PK\u0003\u0004', 'a ZIP archive'],
  ['BZh', 'packed with bzip2'],
  ['\u00fd7zXZ\0', 'packed with xz'],
  ['\u0004\u0022\u004d\u0018', 'packed with lz4'],
  ['\u00ff\u0006\0\0sNaPpY', 'packed with snappy'],
  ['PAR1', 'a Parquet file'],
  ['ARROW1', 'an Arrow file'],
  ['SQLite format 3', 'an SQLite database'],
  ['\u007fELF', 'a program'],
  ['MZ', 'a program'],
  ['%PDF', 'a PDF'],
  ['\u0089PNG', 'an image'],
  ['\u00ff\u00d8\u00ff', 'an image'],
  ['\u00ff\u00fe', 'text in UTF-16, not in UTF-8'],
  ['\u00fe\u00ff', 'text in UTF-16, not in UTF-8'],
];

function signatureOf(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 32);
  return signatures.find(([signature]) => start.startsWith(signature))?.[1];
}

/** White space and the escape of terminal colours stand in text; no other control character does. */
function isText(head: Buffer): boolean {
  const start = head.subarray(0, 4_096);
  if (start.some((byte) => byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27)) return false;
  return !start.toString('utf8').slice(0, -3).includes('\uFFFD');
}

function textName(head: Buffer): string {
  const text = head.toString('utf8', 0, 65_536);
  if (/^\s*<(?:!doctype html|html)/i.test(text)) return 'an HTML page';
  if (/^\s*</.test(text)) return 'XML';
  if (/traceId:\s*'[0-9a-f]{32}'/.test(text)) return 'the printed output of a console exporter';
  return 'text, but neither JSON nor YAML of a trace';
}
