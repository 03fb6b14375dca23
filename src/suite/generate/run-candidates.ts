import type { Run } from '../../agent/run.ts';
import { logViolations, spanViolations } from '../../trace/privacy/privacy-violations.ts';
import { privacyRules } from '../../verdict/privacy-rules.ts';
import { agentCandidates } from './agent-candidates.ts';
import { budgetCandidates } from './budget-candidates.ts';
import { type Candidate, candidate } from './candidate.ts';
import { failureCandidates } from './failure-candidates.ts';
import { joinedCandidates } from './joined-candidates.ts';
import { modelCandidates } from './model-candidates.ts';
import { isWritable } from './span-identity.ts';
import { toolCandidates } from './tool-candidates.ts';

/** All that may be asserted of runs like these, without a word of their content. */
export function runCandidates(runs: readonly Run[]): Candidate[] {
  return [
    ...joinedCandidates(runs),
    ...toolCandidates(runs),
    ...modelCandidates(runs),
    ...agentCandidates(runs),
    ...(runs.every(({ humanInputs }) => humanInputs.length === 0) ? [candidate('NoHumanInput', {})] : []),
    ...failureCandidates(runs),
    ...budgetCandidates(runs),
    candidate('TracePrivacyModes', { mode: 'metadata' }, ...contentKept(runs)),
  ];
}

const rules = privacyRules({ mode: 'metadata', allow: [], canaries: [], secrets: [], forbid: {} });
const mostPlaces = 40;

/** Content stays where it is: in these attributes and places, and nowhere else. */
function contentKept(runs: readonly Run[]): Readonly<Record<string, unknown>>[] {
  const traces = runs.flatMap((run) => run.traces);
  const found = [
    ...traces.flatMap(({ spans }) => spans.flatMap((span) => spanViolations(span, rules))),
    ...traces.flatMap(({ logs }) => logs.flatMap((log) => logViolations(log, rules))),
  ];
  if (found.some(({ code }) => code !== 'payload')) return [];
  const places = new Set(found.map(({ key, place }) => (key === '' ? place : key)));
  // An index stands for any: the next conversation is longer.
  const allow = [...new Set([...places].map((place) => place.replace(/\.\d+(\..*)?$/, '.*')))].sort();
  const canBeSaid = allow.every((place) => isWritable(place) && /^[\w.:*/ -]+$/.test(place));
  return canBeSaid && allow.length > 0 && allow.length <= mostPlaces ? [{ mode: 'metadata', allow }] : [];
}
