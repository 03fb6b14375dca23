import type { AssertionReport } from './report.ts';

/** More are kept as they come: then they differ in any case. */
const mostShared = 1_000;

/** Most trials that passed say the same of an assertion: ten thousand of them then hold it once. */
export class SharedAssertions {
  readonly #known = new Map<string, AssertionReport>();

  of(report: AssertionReport): AssertionReport {
    if (report.status !== 'passed') return report;
    const key = JSON.stringify(report);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size < mostShared) this.#known.set(key, report);
    return report;
  }
}
