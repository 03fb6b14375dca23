import { absentAsDeclared } from '../trace/completeness-of.ts';
import { resolvedOrphans } from '../trace/declared-parents.ts';
import { displayName } from '../trace/display-name.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import type { View } from './assertion.ts';
import type { MissingEvidence } from './verdict.ts';

/**
 * What an assertion wants to say, by how more spans could change it (design §5, second table):
 * - `present`: something is there, and more spans cannot undo it.
 * - `violated`: something is wrong, and more spans cannot undo it.
 * - `joined`: the execution hangs together, or, seen in the trace as given, does not.
 * - `whole`: something is absent, exact, ordered, within budget, true of every or of the last.
 */
export type Claim = 'present' | 'violated' | 'joined' | 'whole';

/** What is missing before `claim` may be made of this view; empty when it may. */
export function undecided(claim: Claim, view: View): readonly MissingEvidence[] {
  if (claim === 'present' || claim === 'violated') return [];
  if (view.traces.length === 0) {
    return [
      { kind: 'completeness', message: 'no trace is at hand; check the selection and where the app sends spans' },
    ];
  }
  return view.traces
    .filter((collected) => !decides(claim, collected, view))
    .map((collected) => ({ kind: 'completeness', message: wouldDecide(collected, view) }));
}

function decides(claim: 'joined' | 'whole', { completeness, facts }: CollectedTrace, view: View): boolean {
  const { state } = completeness;
  if (state === 'proven') return true;
  if (view.source.beforeDeadline) return false;
  if (state === 'settled') return claim === 'joined' || !facts.remote || view.source.acceptsSettled;
  // The trace as given, from a source that has ended, is what the app made. A remote source may have lost a part of it.
  return claim === 'joined' && state === 'broken' && facts.ended && !facts.remote && !facts.cut;
}

/**
 * Traces that are `broken` for another reason than spans without an end, which alone do not unjoin a trace: a verdict
 * "joined" may not rest on them.
 */
export function unexplainedLoss(view: View): readonly MissingEvidence[] {
  return view.traces
    .filter(
      ({ completeness, trace }) => completeness.state === 'broken' && trace.open.length + trace.unfinished.length === 0,
    )
    .map((collected) => ({ kind: 'completeness', message: wouldDecide(collected, view) }));
}

/** Said with every verdict that rests on the user's word: `--completeness settled`, `--instrumented`, `absentParentOf`. */
export function groundRemarks(view: View): readonly string[] {
  const vouched = [...vouchedRemarks(view), ...declaredRemarks(view)];
  const accepted = view.traces.filter(({ completeness, facts }) => completeness.state === 'settled' && facts.remote);
  if (!view.source.acceptsSettled || accepted.length === 0) return vouched;
  return [
    ...vouched,
    `decided on a settled trace from ${view.source.kind}, as --completeness settled accepts; no receipt proves it whole`,
  ];
}

/** Of spans whose parent the program never ends, where the suite declares it and no receipt proves the trace whole. */
export function declaredRemarks(view: View): readonly string[] {
  if (view.absentParentOf === undefined) return [];
  const decided = view.traces.filter(({ completeness }) => completeness.state === 'settled');
  const count = decided.reduce((sum, { trace }) => sum + resolvedOrphans(trace, view).declared.length, 0);
  return count === 0 ? [] : [`decided although ${absentAsDeclared(count)}`];
}

function vouchedRemarks({ run }: View): readonly string[] {
  if (run.instrumented.length === 0) return [];
  const scopes = run.instrumented.map((scope) => `"${displayName(scope)}"`).join(', ');
  return [`the user vouches that ${scopes} makes a span for every model and tool call (--instrumented)`];
}

const receipts = 'receipts (otel-eval/instrument) would prove that it is whole';

function wouldDecide({ trace, completeness, facts }: CollectedTrace, view: View): string {
  const subject = `trace ${trace.traceId}`;
  const { state } = completeness;
  const reasons = completeness.reasons.length > 0 ? ` (${completeness.reasons.join('; ')})` : '';
  switch (state) {
    case 'not-found':
      return `${subject} was not found${reasons}; check the id and the source, or wait longer (--deadline)`;
    case 'partial':
      return `the server returned only a part of ${subject}${reasons}; raise its query limits or read another source`;
    case 'too-large':
      return `${subject} is too large to be read whole${reasons}; raise the server's maximum trace size`;
    case 'pruned':
      return `spans of ${subject} were merged into summaries${reasons}; switch span pruning off`;
    case 'short':
      return `${subject} lacks spans${reasons}; wait longer (--deadline) or find out where they are dropped`;
    case 'broken':
      return `${subject} has lost spans${reasons}; collect all of them: ${receipts}`;
    case 'growing':
      return `${subject} was still growing at the deadline${reasons}; wait longer (--deadline), or ${receipts}`;
    default:
      return view.source.beforeDeadline
        ? `more spans of ${subject} may still come${reasons}; wait for the deadline, or ${receipts}`
        : `${subject} has settled, but ${sourceOf(facts.remote, view)} can lose spans without a word${reasons}; ${receipts}, and --completeness settled accepts it as it is`;
  }
}

function sourceOf(remote: boolean, view: View): string {
  return remote && view.source.kind === 'file'
    ? 'the backend that wrote this file'
    : `a source like ${view.source.kind}`;
}
