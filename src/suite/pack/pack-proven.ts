import { z } from 'zod';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span, SpanEvent } from '../../trace/span.ts';
import type { Assertion, View } from '../../verdict/assertion.ts';
import { conclude } from '../../verdict/conclude.ts';
import { groundRemarks, undecided } from '../../verdict/decidable.ts';
import { findingMaker, sentence } from '../../verdict/finding.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { applicabilityOf } from './applicability.ts';
import { manifestOf } from './manifest.ts';
import type { Pack } from './pack.ts';

const texts = z.array(z.string().min(1)).optional();

const parameters: z.ZodType<Pack> = z.strictObject({
  name: z.string().min(1),
  requires: z.strictObject({
    tools: texts,
    capabilities: texts,
    traits: texts,
    operations: texts,
    inputs: texts,
    evidence: texts,
  }),
}) as unknown as z.ZodType<Pack>;

const findings = {
  'no-longer-declared': sentence<{ pack: string; missing: readonly string[] }>({
    expected: ({ pack }) => `the target of this trial declares what pack ${pack} requires, as it did before the trials`,
    observed: ({ missing }) => `its manifest lacks ${missing.join(', ')}`,
  }),
  'evidence-missing': sentence<{ pack: string; stages: readonly string[] }>({
    expected: ({ pack, stages }) => `pack ${pack} shows ${stages.join(', ')} in every trial`,
    observed: ({ stages }) =>
      `${stages.length === 1 ? 'no span event tells' : 'no span events tell'} of ${stages.join(', ')}`,
  }),
};
const finding = findingMaker('PackProven', findings);

/**
 * What a pack requires was there in this trial too. Declared and then missing is a failed proof, never a reason to skip;
 * not declared at all is inconclusive.
 */
export const packProven: Assertion<Pack> = {
  id: 'PackProven',
  summary: 'The target of this trial had what its pack requires, and showed it.',
  needs: 'the manifest on the resource; a whole trace, where a stage is absent',
  parameters,
  findings,
  evaluate,
};

function evaluate(view: View, pack: Pack): Verdict {
  const spans = view.run.traces.flatMap((trace) => trace.spans);
  const { state, missing } = applicabilityOf(pack, manifestOf(spans.map(({ resource }) => resource)));
  const absent = absentStages(pack, spans);
  const open = absent.length > 0 ? undecided('whole', view) : [];
  const untold = missing.map((what) => ({
    kind: 'projection',
    message: `the target does not tell whether it has ${what}; a manifest on its resource (${ownAttributes.manifestPrefix}*) would`,
  }));
  return conclude({
    examined: spans.length,
    findings: [
      ...(state === 'notApplicable'
        ? [finding('no-longer-declared', { arguments: { pack: pack.name, missing }, spans: [] })]
        : []),
      ...(absent.length > 0 && open.length === 0
        ? [finding('evidence-missing', { arguments: { pack: pack.name, stages: absent }, spans: [] })]
        : []),
    ],
    missing: [...(state === 'unknown' ? untold : []), ...open],
    remarks: groundRemarks(view),
  });
}

/** The name of an event, and, where its attribute `stage` says more, both together. */
function stagesOf({ name, attributes }: SpanEvent): string[] {
  const stage = attributes.get('stage');
  return typeof stage === 'string' ? [name, `${name}.${stage}`] : [name];
}

function absentStages({ requires }: Pack, spans: readonly Span[]): string[] {
  const wanted = requires.evidence ?? [];
  if (wanted.length === 0) return [];
  const seen = new Set(spans.flatMap(({ events }) => events.flatMap(stagesOf)));
  return wanted.filter((stage) => !seen.has(`${ownAttributes.evidencePrefix}${stage}`));
}
