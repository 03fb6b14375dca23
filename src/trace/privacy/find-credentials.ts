import type { FoundCredential } from './found-credential.ts';
import { credentialAtJoint, credentialOfScheme, mayBeScheme, passwordOfUrl } from './named-credentials.ts';
import { isPlaceholder } from './placeholder.ts';
import {
  credentialAtLetter,
  credentialAtSeparator,
  mayEndWord,
  mayHoldLetters,
  telegramTokenAtColon,
  triggerLetters,
} from './vendor-credentials.ts';

const separator = 1;
const joint = 2;
const letter = 3;
const letterB = 4;
const hyphen = 45;

/** What to try at a character, by its low byte: one look at a table for each, and nothing more for nearly all of them. */
const triggers = new Uint8Array(256);
for (const character of triggerLetters) triggers[character.charCodeAt(0)] = letter;
for (const character of '-_.') triggers[character.charCodeAt(0)] = separator;
for (const character of ':=') triggers[character.charCodeAt(0)] = joint;
for (const character of 'bB') triggers[character.charCodeAt(0)] = letterB;

/** Low bytes of a stretch of the text: to ask a string for each of its characters takes five times as long. */
const lowBytes = Buffer.alloc(16_384);
/** Of a text shorter than this it does not. */
const shortest = 64;
/** As long as `pwd=1`: nothing shorter can hold one. */
const shortestFound = 5;

const none: readonly FoundCredential[] = [];

/**
 * The credentials in a text, in order, by their shape or by what stands before them. Linear in the text. What other
 * tools already took away is none.
 *
 * @example
 * findCredentials('Authorization: Bearer abc123456'); // [{ rule: 'authorization', start: 15, end: 31 }]
 */
export function findCredentials(text: string): readonly FoundCredential[] {
  if (text.length < shortestFound) return none;
  const scan = new Scan(text);
  if (text.length < shortest) scan.characters();
  else scan.bytes();
  return scan.all;
}

class Scan {
  all: readonly FoundCredential[] = none;
  /** Where the last one ended. */
  taken = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  characters(): void {
    const { text } = this;
    for (let at = 0; at < text.length; at++) {
      const trigger = triggers[text.charCodeAt(at) & 255] as number;
      if (trigger === 0) continue;
      this.look(at, trigger);
      at = Math.max(at, this.taken - 1);
    }
  }

  bytes(): void {
    const { text } = this;
    for (let from = 0; from < text.length; from = Math.max(from + lowBytes.length, this.taken)) {
      const count = lowBytes.write(from === 0 ? text : text.slice(from, from + lowBytes.length), 'latin1');
      let index = nextTrigger(0, count);
      while (index < count) {
        this.look(from + index, triggers[lowBytes[index] as number] as number);
        index = nextTrigger(Math.max(index + 1, this.taken - from), count);
      }
    }
  }

  look(at: number, trigger: number): void {
    const found = tryAt(this.text, at, trigger);
    if (found === undefined || found.start < this.taken) return;
    this.taken = found.end;
    // What another tool put in the place of a secret is none.
    if (isPlaceholder(this.text.slice(found.start, Math.min(found.end, found.start + 81)))) return;
    if (this.all === none) this.all = [found];
    else (this.all as FoundCredential[]).push(found);
  }
}

/** The next of so many bytes at which something may be, or their number. A loop of its own, since all time is spent here. */
function nextTrigger(from: number, count: number): number {
  const bytes = lowBytes;
  const table = triggers;
  for (let index = from; index < count; index++) {
    const trigger = table[bytes[index] as number] as number;
    if (trigger === 0) continue;
    // At either end the bytes beside it are not all here.
    if (index < 2 || index >= count - 2 || mayBeAt(index, trigger)) return index;
  }
  return count;
}

/** A cheap look at the bytes beside it: most points end a sentence, and most hyphens stand between words. */
function mayBeAt(index: number, trigger: number): boolean {
  if (trigger === joint) return true;
  const here = lowBytes[index] as number;
  const before = lowBytes[index - 1] as number;
  const after = lowBytes[index + 1] as number;
  if (trigger === separator) {
    return (here === hyphen && after === hyphen) || mayEndWord(lowBytes[index - 2] as number, before);
  }
  return mayHoldLetters(before, here) || (trigger === letterB && mayBeScheme(after, lowBytes[index + 2] as number));
}

function tryAt(text: string, at: number, trigger: number): FoundCredential | undefined {
  const here = text.charCodeAt(at);
  // Not the character itself but one with the same low byte.
  if (here > 127) return undefined;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at + 1);
  if (trigger === separator) {
    const may = (here === hyphen && after === hyphen) || mayEndWord(text.charCodeAt(at - 2), before);
    return may ? credentialAtSeparator(text, at) : undefined;
  }
  if (trigger === joint) {
    if (here === 61) return credentialAtJoint(text, at);
    return passwordOfUrl(text, at) ?? credentialAtJoint(text, at) ?? telegramTokenAtColon(text, at);
  }
  const isScheme = trigger === letterB && mayBeScheme(after, text.charCodeAt(at + 2));
  const found = isScheme ? credentialOfScheme(text, at) : undefined;
  return found ?? (mayHoldLetters(before, here) ? credentialAtLetter(text, at) : undefined);
}
