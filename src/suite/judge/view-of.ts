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

export interface ViewGivens {
  readonly acceptsSettled: boolean;
  readonly digest: (value: unknown) => string | null;
  /** A span that we named as parent and do not export. */
  readonly givenParentId?: string;
}

/** What the assertions of a scenario see of a run. */
export function viewOf(
  scenario: Scenario,
  { run, traces, kind, beforeDeadline = false }: Viewed,
  { acceptsSettled, digest, givenParentId }: ViewGivens,
): View {
  const remoteRoot = scenario.root === 'remote' || hangsBelow(traces, givenParentId);
  const { services, absentParentOf } = scenario;
  const parents = { remoteRoot, ...(absentParentOf === undefined ? {} : { absentParentOf }) };
  const declares = remoteRoot || absentParentOf !== undefined || services.length > 0;
  const expected = { services, ...parents };
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
    ...parents,
    digest,
    unselected: [],
  };
}

function hangsBelow(traces: readonly CollectedTrace[], parentId: string | undefined): boolean {
  if (parentId === undefined) return false;
  return traces.some(({ trace }) => trace.orphans.some(({ parentSpanId }) => parentSpanId === parentId));
}
