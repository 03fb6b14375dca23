import type { FoundCredential } from './found-credential.ts';
import { credentialAtJoint, credentialOfScheme, passwordOfUrl } from './named-credentials.ts';
import { isPlaceholder } from './placeholder.ts';
import {
  credentialAtLetter,
  credentialAtSeparator,
  telegramTokenAtColon,
  triggerLetters,
} from './vendor-credentials.ts';

const separator = 1;
const joint = 2;
const letter = 3;
const letterB = 4;

/** What to try at a character: one look at a table for each, and nothing more for nearly all of them. */
const triggers = new Uint8Array(128);
for (const character of triggerLetters) triggers[character.charCodeAt(0)] = letter;
for (const character of '-_.') triggers[character.charCodeAt(0)] = separator;
for (const character of ':=') triggers[character.charCodeAt(0)] = joint;
for (const character of 'bB') triggers[character.charCodeAt(0)] = letterB;

/**
 * The credentials in a text, in order, by their shape or by what stands before them. Linear in the text. What other
 * tools already took away is none.
 *
 * @example
 * findCredentials('Authorization: Bearer abc123456'); // [{ rule: 'authorization', start: 15, end: 31 }]
 */
export function findCredentials(text: string): FoundCredential[] {
  const all: FoundCredential[] = [];
  const { length } = text;
  let taken = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127 || triggers[code] === 0) continue;
    const found = tryAt(text, at, triggers[code] ?? 0);
    if (found === undefined || found.start < taken) continue;
    // What another tool put in the place of a secret is none.
    if (!isPlaceholder(text.slice(found.start, Math.min(found.end, found.start + 81)))) all.push(found);
    taken = found.end;
    at = Math.max(at, found.end - 1);
  }
  return all;
}

function tryAt(text: string, at: number, trigger: number): FoundCredential | undefined {
  if (trigger === separator) return credentialAtSeparator(text, at);
  if (trigger === joint) {
    if (text.charCodeAt(at) === 61) return credentialAtJoint(text, at);
    return passwordOfUrl(text, at) ?? credentialAtJoint(text, at) ?? telegramTokenAtColon(text, at);
  }
  if (trigger === letter) return credentialAtLetter(text, at);
  return credentialOfScheme(text, at) ?? credentialAtLetter(text, at);
}
