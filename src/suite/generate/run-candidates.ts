import type { Run } from '../../agent/run.ts';
import { displayName } from '../../trace/display-name.ts';
import { logViolations, spanViolations } from '../../trace/privacy/privacy-violations.ts';
import { privacyRules } from '../../verdict/privacy-rules.ts';
import { budgetCandidates } from './budget-candidates.ts';
import { type Candidate, candidate } from './candidate.ts';
import { toolCandidates } from './tool-candidates.ts';

/** All that may be asserted of runs like these, without a word of their content. */
export function runCandidates(runs: readonly Run[]): Candidate[] {
  return [
    candidate('ExecutionTraceJoined', {}),
    ...toolCandidates(runs),
    ...handoffCandidates(runs),
    ...(runs.every(({ humanInputs }) => humanInputs.length === 0) ? [candidate('NoHumanInput', {})] : []),
    candidate('SpansMatch', { match: {}, expect: { every: { status: { not: 'error' } } } }),
    ...budgetCandidates(runs),
    candidate('TracePrivacyModes', { mode: 'metadata' }, ...contentKept(runs)),
  ];
}

const rules = privacyRules({ mode: 'metadata', allow: [], canaries: [], secrets: [], forbid: {} });
const mostPlaces = 40;

/** Content stays where it is: in attributes of these names, and nowhere else. */
function contentKept(runs: readonly Run[]): Readonly<Record<string, unknown>>[] {
  const traces = runs.flatMap((run) => run.traces);
  const found = [
    ...traces.flatMap(({ spans }) => spans.flatMap((span) => spanViolations(span, rules))),
    ...traces.flatMap(({ logs }) => logs.flatMap((log) => logViolations(log, rules))),
  ];
  const keys = new Set(found.map(({ code, key }) => (code === 'payload' ? key : '')));
  // An index stands for any: the next conversation is longer.
  const allow = [...new Set([...keys].map((key) => key.replace(/\.\d+(\..*)?$/, '.*')))].sort();
  const isWritable = allow.every((key) => isShown(key) && /^[\w.:*/-]+$/.test(key));
  return isWritable && allow.length > 0 && allow.length <= mostPlaces ? [{ mode: 'metadata', allow }] : [];
}

function handoffCandidates(runs: readonly Run[]): Candidate[] {
  const pairs = new Map(
    runs
      .flatMap(({ handoffs }) =>
        handoffs.flatMap(({ from, to }) => (isShown(from) && isShown(to) ? [{ from, to }] : [])),
      )
      .map((pair) => [`${pair.from}\n${pair.to}`, pair]),
  );
  return [...pairs.values()].map((match) => {
    const least = Math.min(
      ...runs.map(({ handoffs }) => handoffs.filter(({ from, to }) => from === match.from && to === match.to).length),
    );
    return candidate('HandedOff', { match, expect: { atLeast: Math.max(1, least) } });
  });
}

function isShown(name: string | null): boolean {
  return name !== null && name !== '' && displayName(name) === name;
}
