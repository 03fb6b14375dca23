import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCredentials } from '../../../src/trace/privacy/find-credentials.ts';
import type { FoundCredential } from '../../../src/trace/privacy/found-credential.ts';
import { credentialAtJoint, credentialOfScheme, passwordOfUrl } from '../../../src/trace/privacy/named-credentials.ts';
import { isPlaceholder } from '../../../src/trace/privacy/placeholder.ts';
import {
  credentialAtLetter,
  credentialAtSeparator,
  telegramTokenAtColon,
} from '../../../src/trace/privacy/vendor-credentials.ts';

/** The same texts each time; another seed looks at others. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_130);

/** The plain definition: every rule is asked at every character where it may apply, and no quick look comes before. */
function plainly(text: string): FoundCredential[] {
  const all: FoundCredential[] = [];
  let taken = 0;
  for (let at = 0; at < text.length; at++) {
    const found = ruleAt(text, at);
    if (found === undefined || found.start < taken) continue;
    if (!isPlaceholder(text.slice(found.start, Math.min(found.end, found.start + 81)))) all.push(found);
    taken = found.end;
    at = Math.max(at, found.end - 1);
  }
  return all;
}

function ruleAt(text: string, at: number): FoundCredential | undefined {
  const character = text.charAt(at);
  if ('-_.'.includes(character)) return credentialAtSeparator(text, at);
  if (character === '=') return credentialAtJoint(text, at);
  if (character === ':') {
    return passwordOfUrl(text, at) ?? credentialAtJoint(text, at) ?? telegramTokenAtColon(text, at);
  }
  if ('bB'.includes(character)) return credentialOfScheme(text, at) ?? credentialAtLetter(text, at);
  return credentialAtLetter(text, at);
}

const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5kL7nP9rS1tV3xY5zA7cD9eG1iM';
const starts = [
  ...['sk-', 'AQ.', 'ya29.', 'GOCSPX-', 'ghp_', 'github_pat_', 'glpat-', 'glagent-', 'xoxb-', 'xapp-1-', 'sk_live_'],
  ...['whsec_', 'gsk_', 'xai-', 'pplx-', 'hf_', 'r8_', 'lsv2_pt_', 'pylf_v1_', 'nvapi-', 'fw_', 'dapi', 'vcp_', 'npm_'],
  ...['pypi-AgEIcHlwaS', 'SG.', 'SK', 'shpat_', 'lin_api_', 'ntn_', 'sntrys_', 'glc_', 'hvs.', 'dckr_pat_', 'dop_v1_'],
  ...['dp.pt.', 'cfut_', 'PMAK-', 'fm2_', 'ops_eyJ', 'AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3T', 'ABSK', 'bedrock-api-key-'],
  ...['abc1Q~', 'eyJ', 'ZXlK', '123456789:', 'bot123456789:', 'AIza', 'hooks.slack.com/services/'],
  ...['Bearer ', 'basic ', 'BEARER  ', 'password=', 'api_key: ', '"token":"', "'pwd' => '", 'https://u:p@h/?key='],
  ...['-----BEGIN RSA PRIVATE ', 'KEY-----', 'Cookie: ', '[redacted]', '***', '%20', '\\"', '\n', ' ', '.', '-', '_'],
];
const piece = fc.oneof(
  fc.constantFrom(...starts),
  fc.integer({ min: 0, max: 62 }).map((length) => letters.slice(0, length)),
  // Characters whose low byte is one that begins something.
  fc.constantFrom('ĺ', 'ⵟ', 'ł', '🔑', 'é', '\u0000'),
  fc.string({ maxLength: 6 }),
);

test('the quick looks overlook nothing that the rules find', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join('');
      const all = findCredentials(text);
      expect(all).toEqual(plainly(text));
      if (all.length > 0) found++;
    }),
    { seed, numRuns: 3_000 },
  );
  expect(found).toBeGreaterThan(300);
});

test('nor at the seams of the stretches that a long text is read in', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 4, maxLength: 14 }), fc.integer({ min: 0, max: 120 }), (pieces, back) => {
      const text = `${'word '.repeat(3_300).slice(0, 16_384 - back)}${pieces.join('')} ${'word '.repeat(3_300)}${pieces.join('')}`;
      expect(findCredentials(text)).toEqual(plainly(text));
    }),
    { seed, numRuns: 60 },
  );
});
