import { redactText } from '../../dist/src/instrument/redact-text.js';
import { SecretValues } from '../../dist/src/instrument/secret-values.js';
import { pairedRatio } from '../paired.mjs';

export const what = 'redaction of 64 KiB of messages, against one pass of a regular expression over them';

const floor = /(?:sk-|AKIA|ghp_|xox[bp]-|eyJ)[\w-]{16,}|password|secret|Bearer/g;

export function measure() {
  const turn = JSON.stringify({
    role: 'user',
    parts: [{ type: 'text', content: 'The order A-1001 did not arrive. '.repeat(8) }],
  });
  const text = Buffer.from(`[${Array.from({ length: 200 }, () => turn).join()}]`).toString();
  const secrets = new SecretValues([], {});
  const times = (work) => () => {
    for (let count = 0; count < 20; count += 1) work();
  };
  const { ratio, floorMs } = pairedRatio({
    work: times(() => redactText(text, secrets)),
    floor: times(() => [...text.matchAll(floor)].length),
  });
  return { value: ratio, note: `${((ratio * floorMs) / 20).toFixed(2)} ms for ${Math.round(text.length / 1024)} KiB` };
}
