import { z } from 'zod';
import { ownAttributes } from '../src/trace/own-attributes.ts';
import { textsIn } from '../src/trace/privacy/place-texts.ts';
import { logViolations, type PrivacyViolation, spanViolations } from '../src/trace/privacy/privacy-violations.ts';
import { Sentinel } from '../src/trace/privacy/sentinel.ts';
import { skeletonOf } from '../src/trace/privacy/skeleton.ts';
import { placesOf, placesOfLog } from '../src/trace/privacy/span-places.ts';
import type { SpanReference } from '../src/trace/span.ts';
import { accessEvidenceSchema } from '../src/verdict/access-evidence-schema.ts';
import { type AccessEvidence, accessFaultSentences, accessFaults } from '../src/verdict/access-proof.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { stampedSpans, unstampedContent } from '../src/verdict/content-stamps.ts';
import { groundRemarks, undecided } from '../src/verdict/decidable.ts';
import { privacyRules } from '../src/verdict/privacy-rules.ts';
import { privacyFinding as finding, privacySentences as findings } from '../src/verdict/privacy-sentences.ts';
import { holdsContent, incomparable, type SentContent } from '../src/verdict/recorded-content.ts';
import { spansExamined, spansOf } from '../src/verdict/run-spans.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted } from '../src/verdict/wording.ts';

export interface TracePrivacyModesParameters {
  readonly mode: 'metadata' | 'content';
  readonly ceilingBytes?: number | undefined;
  readonly allow: readonly string[];
  readonly canaries: readonly string[];
  readonly secrets: readonly string[];
  readonly forbid: Readonly<Record<string, string>>;
  readonly recorded?: SentContent | undefined;
  readonly skeleton?: readonly string[] | undefined;
  readonly access?: AccessEvidence | readonly AccessEvidence[] | undefined;
}

const text = z.string().min(1);
const spoken = z.union([text, z.array(text).min(1)]);
const parameters: z.ZodType<TracePrivacyModesParameters> = z
  .strictObject({
    mode: z
      .enum(['metadata', 'content'])
      .default('metadata')
      .describe('What was promised: metadata only, or content that was opted into.'),
    ceilingBytes: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Content mode: most bytes of content on one span (UTF-8).'),
    allow: z
      .array(text)
      .default([])
      .describe(
        'Attribute keys that hold metadata of the app; `app.*` allows a family; `status message` and `log body` are places too.',
      ),
    canaries: z
      .array(text.min(8))
      .default([])
      .describe('Sentinels that were put into the run: in metadata mode nowhere, in content mode each somewhere.'),
    secrets: z.array(text.min(4)).default([]).describe('Texts that are nowhere in any mode, however they are spelled.'),
    forbid: z
      .record(z.string(), text.refine(isPattern, { error: 'expected a regular expression' }))
      .default({})
      .describe('Regular expressions, by name, that match nowhere in any mode.'),
    recorded: z
      .strictObject({
        input: spoken.describe(
          'Text that was sent to the model, or its digest (hmac-sha256:…); a list is all messages that were sent, each whole.',
        ),
        output: spoken.describe('Text that the model answered, likewise.'),
        recall: z.array(text).default([]).describe('Texts recalled from memory or sources that were sent, likewise.'),
      })
      .optional()
      .describe('Content mode: one model call holds all of these.'),
    skeleton: z.array(text).min(1).optional().describe('The shape that the same run has in the other mode.'),
    access: z
      .union([accessEvidenceSchema, z.array(accessEvidenceSchema).min(1)])
      .optional()
      .describe(
        'What an authorised and an anonymous request for the trace gave; of several, the one about a trace of this run. ' +
          'otel-eval access --json writes it, --access FILE reads it.',
      ),
  })
  .describe('The trace holds no more than its mode promised.');

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'iu') instanceof RegExp;
  } catch {
    return false;
  }
}

function evaluate(view: View, given: TracePrivacyModesParameters): Verdict {
  const { run } = view;
  const found = [
    ...places(view, given),
    ...(given.mode === 'content' ? [...optIn(view), ...canariesCaptured(view, given), ...recorded(view, given)] : []),
    ...skeleton(view, given),
    ...access(view, given),
  ];
  const missing = found.length > 0 ? [] : [...undecided('whole', view), ...lacking(view, given)];
  return conclude({ examined: spansExamined(run), findings: found, missing, remarks: groundRemarks(view) });
}

function places({ run }: View, given: TracePrivacyModesParameters): Finding[] {
  // In content mode a canary is a text that must have been recorded.
  const rules = privacyRules(given.mode === 'content' ? { ...given, canaries: [] } : given);
  const bySpan = spansOf(run).flatMap((span) => spanViolations(span, rules).map((one) => made(one, [span], given)));
  const byLog = run.traces.flatMap(({ logs, traceId }) =>
    logs.flatMap((log) => logViolations(log, rules).map((one) => made(one, [{ traceId, spanId: log.spanId }], given))),
  );
  return [...bySpan, ...byLog];
}

function made(
  { code, place, rule, bytes }: PrivacyViolation,
  spans: readonly SpanReference[],
  { ceilingBytes = 0 }: TracePrivacyModesParameters,
): Finding {
  if (code === 'over-ceiling') return finding(code, { arguments: { bytes, ceiling: ceilingBytes }, spans });
  if (code === 'payload' || code === 'reasoning') return finding(code, { arguments: { place }, spans });
  return finding(code, { arguments: { place, rule }, spans });
}

function optIn(view: View): Finding[] {
  return stampedSpans(view.run)
    .filter(({ attributes }) => attributes.get(ownAttributes.contentMode) !== 'content')
    .map((span) => finding('content-without-opt-in', { arguments: { mode: 'metadata' }, spans: [span] }));
}

function canariesCaptured({ run }: View, { canaries }: TracePrivacyModesParameters): Finding[] {
  if (canaries.length === 0) return [];
  const all = [...spansOf(run).flatMap(placesOf), ...run.traces.flatMap(({ logs }) => logs.flatMap(placesOfLog))];
  const texts = all.flatMap(({ value }) => textsIn(value).map((placed) => placed.text));
  return canaries.flatMap((canary, index) => {
    const sentinel = new Sentinel(canary);
    if (texts.some((one) => sentinel.isIn(one))) return [];
    return [finding('canary-not-captured', { arguments: { rule: String(index + 1) }, spans: [] })];
  });
}

function recorded(view: View, given: TracePrivacyModesParameters): Finding[] {
  const { run } = view;
  if (given.recorded === undefined || incomparable(view, given.recorded).length > 0) return [];
  if (holdsContent(run, given.recorded, (value) => view.digest(value))) return [];
  const spans = run.modelCalls.flatMap((call) => call.spans.slice(0, 1));
  return [finding('content-not-recorded', { arguments: { modelCalls: run.modelCalls.length }, spans })];
}

function skeleton({ run }: View, given: TracePrivacyModesParameters): Finding[] {
  if (given.skeleton === undefined) return [];
  const wanted = given.skeleton;
  const seen = run.traces.flatMap(skeletonOf);
  const differs = Array.from({ length: Math.max(wanted.length, seen.length) }).findIndex(
    (_, i) => wanted[i] !== seen[i],
  );
  if (differs === -1) return [];
  const details = { line: differs + 1, expectedLines: wanted.length, observedLines: seen.length };
  return [finding('skeleton-differs', { arguments: details, spans: [] })];
}

function access(view: View, given: TracePrivacyModesParameters): Finding[] {
  const evidence = accessEvidence(view, given);
  if (evidence === undefined) return [];
  // Access to some other trace says nothing of this one.
  const faults = isOfRun(view, evidence) ? (accessFaults(evidence) ?? []) : (['other-trace'] as const);
  return faults.map((fault) => {
    return finding('access-not-controlled', { arguments: { fault: accessFaultSentences[fault] }, spans: [] });
  });
}

/** The evidence that is about this run; what was given alone was given for it. */
function accessEvidence(view: View, { access: given }: TracePrivacyModesParameters): AccessEvidence | undefined {
  if (given === undefined || !isList(given)) return given;
  return given.find((evidence) => isOfRun(view, evidence));
}

function isList(given: AccessEvidence | readonly AccessEvidence[]): given is readonly AccessEvidence[] {
  return Array.isArray(given);
}

function isOfRun({ run }: View, { traceId }: AccessEvidence): boolean {
  return run.traces.some((trace) => trace.traceId === traceId.toLowerCase());
}

function lacking(view: View, given: TracePrivacyModesParameters): MissingEvidence[] {
  const missing: MissingEvidence[] = [];
  if (given.mode === 'content' && stampedSpans(view.run).length === 0) {
    const message = 'no span says by which mode it was let pass; otel-eval/instrument stamps it';
    missing.push({ kind: 'stamp', message });
  } else if (given.mode === 'content') {
    const others = unstampedContent(view.run).length;
    const message = `${counted(others, 'span')} with content came from where nothing says by which mode; otel-eval/instrument there stamps it`;
    if (others > 0) missing.push({ kind: 'stamp', message });
  }
  if (given.recorded !== undefined && !holdsContent(view.run, given.recorded, (value) => view.digest(value))) {
    missing.push(...incomparable(view, given.recorded));
  }
  const evidence = accessEvidence(view, given);
  if (given.access !== undefined && evidence === undefined) {
    const message = 'no access was asked for with a trace of this run; otel-eval access --trace-id … --json asks';
    missing.push({ kind: 'projection', message });
  } else if (evidence !== undefined && accessFaults(evidence) === undefined) {
    missing.push({ kind: 'projection', message: 'no server answered the requests that were to prove who has access' });
  }
  return missing;
}

export const tracePrivacyModes: Assertion<TracePrivacyModesParameters> = {
  id: 'TracePrivacyModes',
  summary: 'The trace holds no more than its mode promised: no content, or content within its bounds.',
  needs: 'a violation: any trace; none: a whole one, and for content mode the stamp of otel-eval/instrument',
  parameters,
  findings,
  evaluate,
};
