import type { Run } from '../../agent/run.ts';
import {
  compareVersions,
  type VersionRun,
  type VersionStep,
  type VersionSummary,
} from '../../faults/economics/compare-versions.ts';
import { toolRuns } from '../../faults/economics/failing-runs.ts';
import {
  causesBetween,
  type FoundCause,
  type RecoveryPath,
  recoveryPath,
} from '../../faults/economics/recovery-causes.ts';

/** The runs of one version in which a tool failed. */
interface FailingRuns {
  /** In which it was called, failing or not. */
  all: number;
  readonly runs: VersionRun[];
  readonly paths: RecoveryPath[];
}

/** One tool over all versions. */
export interface ToolDifference {
  readonly tool: string;
  readonly versions: readonly (VersionSummary & { readonly runs: number })[];
  readonly steps: readonly (VersionStep & { readonly causes: readonly FoundCause[] })[];
}

/** Gathers the failing runs of versions, tool by tool; add all runs of a version before those of the next. */
export class VersionDifference {
  readonly #versions: string[] = [];
  readonly #tools = new Map<string, Map<string, FailingRuns>>();
  readonly #cap: number;

  /** @param cap - attempts at which runs were stopped; `Infinity` without one */
  constructor(cap: number) {
    this.#cap = cap;
  }

  version(name: string): void {
    this.#versions.push(name);
  }

  add(run: Run): void {
    const version = this.#versions.at(-1) ?? '';
    for (const { tool, failing, attempts, recovered, tokens } of toolRuns(run)) {
      const versions = this.#tools.get(tool) ?? new Map<string, FailingRuns>();
      this.#tools.set(tool, versions);
      const own = versions.get(version) ?? { all: 0, runs: [], paths: [] };
      versions.set(version, own);
      own.all += 1;
      if (!failing) continue;
      own.runs.push({ tokens, attempts, recovered, atCap: !recovered && attempts >= this.#cap });
      own.paths.push(recoveryPath(run, tool));
    }
  }

  /** Tools with a failing run, the one that failed most often first; a version in which it never failed shows no run. */
  tools(): ToolDifference[] {
    return [...this.#tools]
      .filter(([, versions]) => [...versions.values()].some(({ runs }) => runs.length > 0))
      .map(([tool, versions]) => this.#difference(tool, versions))
      .sort((a, b) => failures(b) - failures(a) || (a.tool < b.tool ? -1 : 1));
  }

  #difference(tool: string, versions: ReadonlyMap<string, FailingRuns>): ToolDifference {
    const of = (version: string): FailingRuns => versions.get(version) ?? { all: 0, runs: [], paths: [] };
    const compared = compareVersions(new Map(this.#versions.map((name) => [name, of(name).runs])));
    return {
      tool,
      versions: compared.versions.map((each) => ({ ...each, runs: of(each.version).all })),
      steps: compared.steps.map((step) => ({ ...step, causes: causesBetween(of(step.from).paths, of(step.to).paths) })),
    };
  }
}

function failures({ versions }: ToolDifference): number {
  return versions.reduce((sum, { failingRuns }) => sum + failingRuns, 0);
}
