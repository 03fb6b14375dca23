const longestName = 80;

/**
 * A name as a report may show it. A name longer than 80 characters or with a line break is content (some frameworks put
 * the user's message there) and is shown as its length (design §2, law 4).
 *
 * @example
 * displayName('chat gpt-5'); // 'chat gpt-5'
 * displayName('Please refund\nmy order'); // '‹name of 22 characters›'
 */
export function displayName(name: string): string {
  if (name.length > longestName || /[\n\r\u2028\u2029]/.test(name)) return `‹name of ${name.length} characters›`;
  // Other control characters would reach the terminal as commands.
  return name.replace(/\p{Cc}/gu, '\uFFFD');
}
