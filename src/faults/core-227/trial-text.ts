import type { TrialOutcome227 } from './run-trial.ts';

/**
 * A trial as it may be printed: what was counted, and answers and errors that are synthetic. Nothing of a provider, its
 * configuration or its words.
 */
export function trialText(outcome: TrialOutcome227): string {
  if (outcome.status !== 'judged') {
    return outcome.status === 'unknown' ? `UNKNOWN: ${outcome.reason}\n` : `not applicable: ${outcome.reason}\n`;
  }
  const { report, unclean, limits } = outcome;
  const lines = [
    `${report.passed ? 'passed' : 'failed'} (${report.preset}, ${report.evidenceLevel}, counted at the ${report.boundary} boundary)`,
    ...report.failures.map((failure) => `  ${failure}`),
    `final answer     ${answerText(report.finalAnswer)}`,
    `stop reason      ${reasonText(report.stopReason)}`,
    `reads            ${report.readAttempts}, in the requests ${listed(report.readRounds)}`,
    `records          ${report.recordAttempts}, in the requests ${listed(report.recordRounds)}`,
    `effects          ${report.appliedEffects} applied, ${report.duplicateEffects} more tried; values ${listed(report.recordedValues)}`,
    `error observed   ${report.errorObservedIn === null ? 'in no request' : `in request ${report.errorObservedIn}`}`,
    `model calls      ${report.modelCalls}; entries into the route ${report.routeEntries}`,
    `not covered      ${report.notCovered.join(', ')}`,
    ...(unclean ? ['unclean          the agent did not stop at its timeout'] : []),
    ...limits.map((limit) => `limit            ${limit}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A number; a model's own words are told by their length. */
function answerText(answer: string | null): string {
  if (answer === null) return 'none';
  return /^-?\d{1,6}$/.test(answer.trim()) ? answer.trim() : `‹answer of ${answer.length} characters›`;
}

const reasons = ['stop', 'tool_calls', 'length', 'content_filter', 'error'];

/** The words of the convention; what else a provider says is its own. */
function reasonText(reason: string | null): string {
  if (reason === null) return 'UNKNOWN';
  return reasons.includes(reason) ? reason : `‹reason of ${reason.length} characters›`;
}

function listed(values: readonly number[]): string {
  return values.length === 0 ? 'none' : values.join(', ');
}
