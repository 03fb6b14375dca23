/** What stands where other tools took content away: it is absence, not content. */
const redacted =
  /^(?:__REDACTED__|<?REDACTED>?|\[(?:redacted|masked|scrubbed|filtered|hidden|removed)\b[^\]]{0,60}\]|<(?:redacted|not specified|masked|hidden)[^>]{0,40}>|\*{3,}|readacted|redacted|N\/A|\{\}|\[\])$/i;

/** What serializers write in the place of a value that they do not go into. The whole value: nothing of it is left. */
const leftOut = /^\[(?:max ?depth|circular|function|object|array|truncated)\]$/i;

/** `__REDACTED__`, `[Scrubbed due to 'session']`, `[MaxDepth]`, `{}` and their like. */
export function isPlaceholder(value: string): boolean {
  if (value.length > 80) return false;
  const text = value.trim();
  return redacted.test(text) || leftOut.test(text);
}
