/** What stands where other tools took content away: it is absence, not content. */
const placeholderPattern =
  /^(?:__REDACTED__|<?REDACTED>?|\[(?:redacted|masked|scrubbed|filtered|hidden|removed)\b[^\]]{0,60}\]|<(?:redacted|not specified|masked|hidden)[^>]{0,40}>|\*{3,}|readacted|redacted|N\/A|\{\}|\[\])$/i;

/** `__REDACTED__`, `[Scrubbed due to 'session']`, `{}` and their like. */
export function isPlaceholder(value: string): boolean {
  return value.length <= 80 && placeholderPattern.test(value.trim());
}
