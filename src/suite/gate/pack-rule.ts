import type { Baseline, PackPin } from './baseline.ts';
import type { GatePack } from './gate-report.ts';
import type { GateFinding } from './gate-verdict.ts';

/** Each pack must be what the baseline pins it to be: a pack that silently stops applying is a failure. */
export function packFindings(pins: Baseline['packs'], packs: readonly GatePack[]): GateFinding[] {
  const names = [...new Set([...Object.keys(pins), ...packs.map(({ pack }) => pack)])].sort();
  return names.map((name) => {
    const pin = Object.hasOwn(pins, name) ? pins[name] : undefined;
    const found = packs.find(({ pack }) => pack === name);
    const got = found === undefined ? 'no such pack in the report' : stateText(found);
    const finding = { rule: 'packs', subject: name };
    if (found !== undefined && pin !== undefined && found.state === stateOf(pin)) {
      const why = typeof pin === 'object' ? ` (${pin.notApplicable})` : '';
      return { ...finding, decision: 'PASS', message: `${got}, as pinned${why}` };
    }
    const expected = pin === undefined ? 'a pin in the baseline' : stateWords[stateOf(pin)];
    return { ...finding, decision: 'FAIL', message: `expected ${expected}, got ${got}` };
  });
}

const stateWords: Readonly<Record<GatePack['state'], string>> = {
  applicable: 'applicable',
  notApplicable: 'not applicable',
  failedProof: 'a failed proof',
};

function stateOf(pin: PackPin): GatePack['state'] {
  return pin === 'applicable' ? 'applicable' : 'notApplicable';
}

function stateText({ state, missing }: GatePack): string {
  return missing.length === 0 ? stateWords[state] : `${stateWords[state]} (missing: ${missing.join(', ')})`;
}
