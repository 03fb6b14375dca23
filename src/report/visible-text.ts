/**
 * Text that cannot steer a terminal: control characters, also those that turn the direction of writing, show as
 * U+FFFD. Lone surrogates do too, since no encoding can hold them.
 */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, '\uFFFD');
}
