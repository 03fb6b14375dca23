import type { Completeness, CompletenessState, SourceFacts } from './completeness.ts';
import { type DeclaredParents, type ResolvedOrphans, resolvedOrphans } from './declared-parents.ts';
import { displayName } from './display-name.ts';
import { type Segment, type Segments, segmentsOf } from './segments.ts';
import type { Trace } from './trace.ts';

/** What the suite declares of every trace it judges. */
export interface Expectations extends DeclaredParents {
  /** `service.name` of every service that takes part. */
  readonly services?: readonly string[];
  /** At least so many spans. */
  readonly spans?: number;
}

/**
 * How whole a trace is, as it stands now: the first row that matches of the table in design §5. On a remote source,
 * `short`, `broken` and `growing` are final only at the deadline; before that they say what is still awaited.
 *
 * @example
 * completenessOf(trace, facts, { services: ['order-support'] }).state; // 'proven'
 */
export function completenessOf(trace: Trace, facts: SourceFacts, expected: Expectations = {}): Completeness {
  const segments = segmentsOf(trace.spans);
  const unmet = unmetExpectations(trace, expected);
  const expectedSpans = spansByReceipt(segments);
  const { state, reasons } = firstMatch(trace, facts, { segments, unmet, expected });
  return { state, reasons: [...reasons, ...facts.losses], expectedSpans };
}

interface Match {
  readonly state: CompletenessState;
  readonly reasons: readonly string[];
}

interface Evidence {
  readonly segments: Segments;
  readonly unmet: readonly string[];
  readonly expected: Expectations;
}

function firstMatch(trace: Trace, facts: SourceFacts, { segments, unmet, expected }: Evidence): Match {
  if (facts.serverSays !== undefined) return { state: facts.serverSays, reasons: [serverWords[facts.serverSays]] };
  if (trace.spans.length === 0) return { state: 'not-found', reasons: ['no span of it was found'] };
  const mismatches = [...segments.byId.values()].flatMap(mismatchesOf);
  if (mismatches.length > 0) return { state: 'short', reasons: mismatches };
  const unproven = whatIsUnproven(segments);
  if (unproven.length === 0 && unmet.length === 0) return { state: 'proven', reasons: [receiptWords(segments)] };
  const orphans = resolvedOrphans(trace, expected);
  const breaks = [...structuralLosses(trace, facts, orphans), ...unmet];
  if (breaks.length > 0) return { state: 'broken', reasons: [...breaks, ...unproven] };
  if (!facts.ended && !facts.quiet) return { state: 'growing', reasons: ['spans may still come', ...unproven] };
  const ground = facts.ended ? 'the source has ended' : 'no span came for as long as was waited';
  const declared = orphans.declared.length === 0 ? [] : [absentAsDeclared(orphans.declared.length)];
  return { state: 'settled', reasons: [ground, ...declared, ...unproven] };
}

/** `the parent of 2 spans is absent, as the suite declares` */
export function absentAsDeclared(count: number): string {
  return `the parent of ${spans(count)} is absent, as the suite declares`;
}

const serverWords: Record<NonNullable<SourceFacts['serverSays']>, string> = {
  partial: 'the server says that it gave a part of the trace',
  'too-large': 'the trace exceeds the maximum size of one answer',
  pruned: 'the server replaced spans by a summary',
  'not-found': 'the server says that there is no such trace',
};

function mismatchesOf({ here, receipt, contradicted }: Segment): string[] {
  if (receipt === undefined) return [];
  if (contradicted) return ['two receipts of one segment contradict each other'];
  const found: string[] = [];
  const missing = receipt.spans - here.count;
  if (missing > 0) found.push(`${spans(missing)} missing: a receipt says ${receipt.spans}, ${here.count} are here`);
  if (missing < 0) found.push(`${spans(-missing)} more than the ${receipt.spans} that a receipt says`);
  if (missing === 0 && here.hex() !== receipt.digest) {
    found.push(`other spans stand in the place of some of the ${receipt.spans} that a receipt says`);
  }
  if (receipt.open > 0) found.push(`${spans(receipt.open)} still open when the newest receipt was written`);
  return found;
}

function whatIsUnproven({ byId, unstamped, unreadable }: Segments): string[] {
  const without = [...byId.values()].filter(({ receipt }) => receipt === undefined).length;
  const found: string[] = [];
  if (byId.size === 0) found.push('no span carries a receipt');
  else if (unstamped > 0) found.push(`${spans(unstamped)} without a segment, for which no receipt speaks`);
  if (without > 0) found.push(`no receipt for ${without} of ${byId.size} segments`);
  if (unreadable > 0) found.push(`unreadable receipts: ${unreadable}`);
  return found;
}

function receiptWords({ byId }: Segments): string {
  const receipts = [...byId.values()].map(({ receipt }) => receipt?.spans ?? 0);
  const total = receipts.reduce((sum, count) => sum + count, 0);
  return receipts.length === 1 ? `the receipt says ${total}` : `${receipts.length} receipts say ${total}`;
}

function structuralLosses(trace: Trace, facts: SourceFacts, { lost, hasTop }: ResolvedOrphans): string[] {
  const found: string[] = [];
  if (lost.length > 0) {
    const parents = new Set(lost.map(({ parentSpanId }) => parentSpanId));
    const named = [...parents].slice(0, 5).join(', ');
    const more = parents.size > 5 ? `, and ${parents.size - 5} more` : '';
    found.push(`${spans(lost.length)} whose parent is missing: ${named}${more}`);
  }
  if (!hasTop) found.push('no root span');
  if (trace.open.length > 0) found.push(`${spans(trace.open.length)} without an end`);
  if (trace.unfinished.length > 0) found.push(`${spans(trace.unfinished.length)} announced as started and never sent`);
  if (facts.cut) found.push('a part of the input is cut off or unreadable');
  return found;
}

function unmetExpectations(trace: Trace, { services = [], spans: atLeast = 0 }: Expectations): string[] {
  const found: string[] = [];
  if (services.length > 0) {
    const present = new Set(trace.spans.map(({ resource }) => resource.attributes.get('service.name')));
    const absent = services.filter((service) => !present.has(service));
    found.push(...absent.map((service) => `no span of the declared service ${displayName(service)}`));
  }
  if (trace.spans.length < atLeast) {
    found.push(`${trace.spans.length} spans where at least ${atLeast} are declared`);
  }
  return found;
}

function spansByReceipt({ byId, unstamped }: Segments): number | null {
  if (byId.size === 0 || unstamped > 0) return null;
  let total = 0;
  for (const { receipt } of byId.values()) {
    if (receipt === undefined) return null;
    total += receipt.spans + receipt.open;
  }
  return total;
}

function spans(count: number): string {
  return count === 1 ? '1 span' : `${count} spans`;
}
