/** What became of a faulted run; exactly one for each valid run. */
export type RecoveryLabel = 'recovered' | 'unnoticed_success' | 'clean_abort' | 'failed';

export const recoveryLabels: readonly RecoveryLabel[] = ['recovered', 'unnoticed_success', 'clean_abort', 'failed'];

/** Why a run says nothing of recovery; such runs stand beside the four counts, never inside them. */
export type Invalidity = 'harness_error' | 'not_exercised' | 'inapplicable' | 'absorbed' | 'missing' | 'attended';

export const invalidities: readonly Invalidity[] = [
  'harness_error',
  'not_exercised',
  'inapplicable',
  'absorbed',
  'missing',
  'attended',
];

export type FailureReason =
  | 'false_report'
  | 'duplicate_effect'
  | 'wrong_state'
  | 'residue'
  | 'vague_message'
  | 'loop_guard'
  | 'crash'
  | 'timeout'
  | 'constraint_broken';

/** What the agent did because of the fault. */
export type Reaction =
  | 'none'
  | 'retry_same'
  | 'retry_changed'
  | 'verify_read'
  | 'alternate_tool'
  | 'compensate'
  | 'escalate'
  | 'explicit_statement';

/** Facts beside the label; they never change it. */
export type RecoveryFlag =
  | 'over_budget'
  | 'blind_retry'
  | 'verified_before_rewrite'
  /** It ended by a loop guard, a crash or a time-out, and not with a message; the label is by the end state all the same. */
  | 'cut_short'
  | 'retry_after_ignored'
  | 'saved_by_idempotency'
  | 'escalated'
  | 'grounded'
  | 'disclosed';

/** `injected`: receipts say that a fault was planted. `observed_fault`: a failure was seen, nobody says from where. */
export type FaultEvidenceLevel = 'injected' | 'observed_fault';

export interface Classification {
  readonly level: FaultEvidenceLevel;
  /** `undecided`: valid, but what is at hand allows more than one label. */
  readonly status: 'classified' | 'undecided' | Invalidity;
  /** Set for `classified`. */
  readonly label: RecoveryLabel | null;
  /** For `failed`: all that hold, the deciding one first. */
  readonly reasons: readonly FailureReason[];
  /** Labels that the evidence allows, in the order of `recoveryLabels`: one for `classified`, more for `undecided`. */
  readonly possible: readonly RecoveryLabel[];
  readonly reaction: Reaction;
  readonly flags: readonly RecoveryFlag[];
  /** Evidence that is missing, or why the run is not valid: one clause each, no content. */
  readonly missing: readonly string[];
}
