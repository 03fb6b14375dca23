import type { Report, Status } from './report.ts';

const words: Readonly<Record<Status, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  error: 'error',
  unavailable: 'unavailable',
  notApplicable: 'not applicable',
};

/** `failed: 1/3 scenarios passed, 1 failed, 1 inconclusive; 0 packs not applicable`. */
export function summaryText({ status, summary, applicability }: Report): string {
  // What does not apply was not run: it is counted on its own.
  const total = Object.values(summary).reduce((sum, count) => sum + count, 0) - summary.notApplicable;
  const others = (['failed', 'error', 'unavailable', 'inconclusive', 'notApplicable'] as const)
    .filter((word) => summary[word] > 0)
    .map((word) => `, ${summary[word]} ${words[word]}`);
  const packs = applicability.filter(({ state }) => state === 'notApplicable').length;
  const passed = `${summary.passed}/${total} scenarios passed`;
  return `${words[status]}: ${passed}${others.join('')}; ${packs} packs not applicable`;
}

export function statusWord(status: Status): string {
  return words[status];
}
