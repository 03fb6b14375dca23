import type { Run } from '../../agent/run.ts';
import { completenessOf } from '../../trace/completeness-of.ts';
import type { CollectedTrace, SourceKind } from '../../trace/trace-set.ts';
import type { View } from '../../verdict/assertion.ts';
import type { Scenario } from '../suite.ts';

export interface Viewed {
  readonly run: Run;
  readonly traces: readonly CollectedTrace[];
  readonly kind: SourceKind;
  /** More spans may still come. */
  readonly beforeDeadline?: boolean;
}

/** What the assertions of a scenario see of a run. */
export function viewOf(
  scenario: Scenario,
  { run, traces, kind, beforeDeadline = false }: Viewed,
  { acceptsSettled, digest }: { readonly acceptsSettled: boolean; readonly digest: (value: unknown) => string | null },
): View {
  const remoteRoot = scenario.root === 'remote';
  const declares = remoteRoot || scenario.services.length > 0;
  const expected = { services: scenario.services, remoteRoot };
  return {
    run,
    traces: declares
      ? traces.map((each) => ({ ...each, completeness: completenessOf(each.trace, each.facts, expected) }))
      : traces,
    source: {
      kind,
      acceptsSettled: (scenario.completeness ?? (acceptsSettled ? 'settled' : 'proven')) === 'settled',
      beforeDeadline,
    },
    remoteRoot,
    digest,
    unselected: [],
  };
}
