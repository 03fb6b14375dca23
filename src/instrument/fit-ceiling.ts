import type { Attributes, AttributeValue, Link } from '@opentelemetry/api';
import { ageOfRole, contentRole } from '../trace/privacy/content-keys.ts';
import { metadataClass } from '../trace/privacy/metadata-keys.ts';
import { isRedactionMark } from './redact-text.ts';
import type { TimedEvent } from './sdk-shapes.ts';
import { cut, shorten } from './shorten.ts';
import type { PassingParts } from './sieve.ts';
import type { Tally } from './tally.ts';

/** One text and where it stands. */
interface Piece {
  readonly text: string;
  readonly bytes: number;
  readonly age: number;
  /** `undefined` takes it away. */
  readonly put: PutText;
  readonly isName: boolean;
}

const longestName = 80;
const unknownAge = 3;
const errorAge = ageOfRole.error;
const outputAge = ageOfRole.output;

/**
 * Shortens what is content until all of it together is at most `ceiling` bytes of UTF-8: instructions first, then
 * input from its oldest message on, then output. Metadata do not count.
 */
export function fitCeiling(parts: PassingParts, ceiling: number, tally: Tally): void {
  const pieces = [
    ...piecesOf(parts.attributes),
    ...parts.events.flatMap(eventPieces),
    ...parts.links.flatMap(linkPieces),
    ...ownPieces(parts),
  ];
  let excess = pieces.reduce((sum, { bytes }) => sum + bytes, -ceiling);
  if (excess <= 0) return;
  for (const piece of pieces.sort((a, b) => a.age - b.age)) {
    if (excess <= 0) return;
    const most = Math.max(0, piece.bytes - excess);
    // A few bytes are no content, and a list that is empty already cannot get shorter.
    if (piece.bytes <= 2) continue;
    const shorter = shortened(piece, most);
    piece.put(shorter === '' ? undefined : shorter);
    excess -= piece.bytes - Buffer.byteLength(shorter);
    tally.truncated++;
  }
}

function shortened({ text, isName }: Piece, most: number): string {
  if (isName) return cut(text, most);
  return most < 2 || isRedactionMark(text) ? '' : shorten(text, most);
}

type PutText = (text: string | undefined) => void;
type PutValue = (value: AttributeValue | undefined) => void;

function piecesOf(attributes: Attributes, ageHere?: number): Piece[] {
  const pieces: Piece[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (metadataClass(key) !== undefined) continue;
    const role = contentRole(key);
    const age = ageHere ?? (role === undefined ? unknownAge : ageOfRole[role]);
    const put: PutValue = (next) => {
      if (next === undefined) delete attributes[key];
      else attributes[key] = next;
    };
    pieces.push(...valuePieces(value, age, put));
  }
  return pieces;
}

function valuePieces(value: AttributeValue | undefined, age: number, put: PutValue): Piece[] {
  if (typeof value === 'string') return [piece(value, age, put)];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return listPieces(value, age, put);
  // A structure is shortened as the JSON that it is.
  const putJson: PutText = (next) => put(next === undefined ? undefined : (JSON.parse(next) as AttributeValue));
  return [piece(JSON.stringify(value), age, putJson)];
}

function listPieces(list: readonly string[], age: number, put: PutValue): Piece[] {
  const items: (string | undefined)[] = [...list];
  return list.map((text, index) =>
    piece(text, age, (next) => {
      items[index] = next;
      put(items.filter((item): item is string => item !== undefined));
    }),
  );
}

function piece(text: string, age: number, put: PutText): Piece {
  return { text, bytes: Buffer.byteLength(text), age, put, isName: false };
}

function eventPieces(event: TimedEvent): Piece[] {
  const age = /choice|completion|output/.test(event.name) ? outputAge : undefined;
  const pieces = event.attributes === undefined ? [] : piecesOf(event.attributes, age);
  if (event.name.length > longestName) pieces.push(namePiece(event.name, (name) => Object.assign(event, { name })));
  return pieces;
}

function linkPieces({ attributes }: Link): Piece[] {
  return attributes === undefined ? [] : piecesOf(attributes);
}

/** A name that is longer than names are: content. */
function namePiece(text: string, put: (text: string) => void): Piece {
  return { ...piece(text, unknownAge, (next) => put(next ?? 'truncated')), isName: true };
}

function ownPieces(parts: PassingParts): Piece[] {
  const pieces: Piece[] = [];
  const { code, message } = parts.status;
  if (message !== undefined) {
    const put: PutText = (next) => {
      parts.status = next === undefined ? { code } : { code, message: next };
    };
    pieces.push(piece(message, errorAge, put));
  }
  if (parts.name.length > longestName) {
    const put = (name: string): void => {
      parts.name = name;
    };
    pieces.push(namePiece(parts.name, put));
  }
  return pieces;
}
