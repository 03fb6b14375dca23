const sensitiveEnd =
  /(?:password|passwd|passphrase|passcode|pwd|secret|secretkey|secretaccesskey|apikey|accesskey|privatekey|accountkey|sharedaccesskey|signingkey|encryptionkey|masterkey|credentials?|authorization|cookie|setcookie|bearer|accesstoken|refreshtoken|idtoken|authtoken|sessiontoken|securitytoken|csrftoken|xsrftoken|bottoken|apitoken|token|connectionstring)$/;
const harmlessToken = /(?:page|continuation|next|sync|cursor|stop|bos|eos|pad|unk|sep|mask|special)token$/;
const exact: ReadonlySet<string> = new Set(['auth', 'otp', 'pin', 'ssn', 'cvv', 'cvc', 'jwt', 'xauth']);
/** Under these even a number is the secret itself. */
const secretNumbers: ReadonlySet<string> = new Set([
  'otp',
  'pin',
  'ssn',
  'cvv',
  'cvc',
  'password',
  'passcode',
  'passwd',
  'pwd',
]);

function canonical(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]+/g, '');
}

/**
 * Whether the value under a key is a secret whatever it looks like, by the key's name: `api_key`, `X-Auth-Token`,
 * `db.password`. Counters such as `max_tokens` are none.
 *
 * @example
 * isSensitiveKey('githubToken'); // true
 * isSensitiveKey('gen_ai.usage.input_tokens'); // false
 */
export function isSensitiveKey(key: string): boolean {
  if (key.length > 120) return false;
  const name = canonical(key);
  // Of a dotted key the last part alone may be a short word such as `pin`.
  const last = canonical(key.slice(key.lastIndexOf('.') + 1));
  if (exact.has(last)) return true;
  return sensitiveEnd.test(name) && !harmlessToken.test(name);
}

/** Whether also a number under this key is a secret. */
export function holdsSecretNumber(key: string): boolean {
  return secretNumbers.has(canonical(key.slice(key.lastIndexOf('.') + 1)));
}
