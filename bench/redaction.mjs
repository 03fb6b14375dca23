// What the rows of redaction share: messages of some length, redacted, against one pass of a regular expression.
import { redactText } from '../dist/src/instrument/redact-text.js';
import { SecretValues } from '../dist/src/instrument/secret-values.js';
import { pairedRatio } from './paired.mjs';

const floor = /(?:sk-|AKIA|ghp_|xox[bp]-|eyJ)[\w-]{16,}|password|secret|Bearer/g;
const turn = JSON.stringify({
  role: 'user',
  parts: [{ type: 'text', content: 'The order A-1001 did not arrive. '.repeat(8) }],
});

function messages(bytes) {
  const turns = Math.max(1, Math.round((bytes - 1) / (turn.length + 1)));
  return Buffer.from(`[${Array.from({ length: turns }, () => turn).join()}]`).toString();
}

/** As often as 1.25 MiB need. */
export function redactionRatio(bytes) {
  const text = messages(bytes);
  const secrets = new SecretValues([], {});
  const often = Math.max(1, Math.round(1_310_720 / bytes));
  const times = (work) => () => {
    for (let count = 0; count < often; count += 1) work();
  };
  const { ratio, floorMs } = pairedRatio({
    work: times(() => redactText(text, secrets)),
    floor: times(() => [...text.matchAll(floor)].length),
  });
  const perText = (ratio * floorMs) / often;
  const throughput = text.length / 1_048_576 / (perText / 1_000);
  return { value: ratio, note: `${perText.toPrecision(2)} ms a text, ${throughput.toFixed(0)} MiB/s` };
}
