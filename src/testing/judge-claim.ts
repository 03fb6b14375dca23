import { colours, noColours } from '../report/palette.ts';
import { trialReport } from '../report/trial-report.ts';
import { failureText } from '../report/trial-text.ts';
import { type AssertionOutcome, evaluateAssertion } from '../suite/judge/evaluate-assertion.ts';
import { displayName } from '../trace/display-name.ts';
import type { Assertion, View } from '../verdict/assertion.ts';
import { kebabCase } from '../verdict/finding.ts';
import type { Finding, Verdict } from '../verdict/verdict.ts';
import { counted, listed } from '../verdict/wording.ts';
import { acceptedParameters } from './accepted-parameters.ts';
import type { Claim } from './claim.ts';
import { digestOf } from './digest-of.ts';
import { verdictInOptionWords, withoutSpans } from './option-words.ts';
import type { RecordedRun, RunEvidence } from './recorded-run.ts';

export interface Judgement {
  readonly holds: boolean;
  /** Why the claim does not hold: it is known to be false, or evidence is missing. */
  readonly status: 'passed' | 'failed' | 'inconclusive' | 'error';
  /** The failure text of design §7; empty when the claim holds. */
  readonly text: string;
  readonly expected: string;
  readonly observed: string;
}

export interface TextOptions {
  /** First line: what was asked, as `expect(run).toBeJoined()`. */
  readonly subject: string;
  readonly columns: number;
  readonly colour: boolean;
}

/** Judges a claim about a run with the assertions of suites: one semantics behind every door. */
export function judgeClaim(recorded: RecordedRun, claim: Claim, options: TextOptions): Judgement {
  const view = viewOf(recorded, claim.onSpansOnly === true ? recorded.onSpans : recorded);
  const outcome = outcomeOf(claim, view);
  const status = outcome.verdict?.status ?? 'error';
  if (status === 'passed') return { holds: true, status, text: '', expected: '', observed: '' };
  const trial = trialReport(
    { scenario: anonymous, view, outcomes: [outcome] },
    { deterministic: false, withTree: true, rerun: null },
  );
  const palette = options.colour ? colours : noColours;
  const strays = strayLines(recorded);
  const [subject = '', undecided = '', ...rest] = failureText(
    trial,
    { subject: options.subject, note: '' },
    { columns: options.columns, palette },
  );
  const [assertion] = trial.assertions;
  return {
    holds: false,
    status,
    text: [subject, undecided, ...(status === 'inconclusive' ? seenLine(claim, view) : []), ...rest, ...strays].join(
      '\n',
    ),
    expected: assertion?.findings.map(({ expected }) => expected).join('; ') || 'a verdict',
    observed: assertion?.findings.map(({ observed }) => observed).join('; ') || `${status}: evidence is missing`,
  };
}

const anonymous = {
  name: '',
  tags: [],
  select: {},
  root: 'local',
  services: [],
  completeness: undefined,
  runBy: undefined,
  oneRun: true,
  assertions: [],
} as const;

function viewOf({ source }: RecordedRun, { run, traces }: RunEvidence): View {
  return {
    run,
    traces,
    source: { kind: source.kind, acceptsSettled: source.acceptsSettled, beforeDeadline: false },
    remoteRoot: source.remoteRoot,
    absentParentOf: source.absentParentOf ?? [],
    digest: digestOf,
    unselected: [],
  };
}

function outcomeOf({ assertion, parameters, holdsWhen }: Claim, view: View): AssertionOutcome {
  const judged = evaluateAssertion({ assertion, parameters: acceptedParameters(assertion, parameters) }, view);
  const outcome = judged.verdict === undefined ? judged : { ...judged, verdict: inWordsOfTests(judged.verdict, view) };
  if (holdsWhen === 'passed' || outcome.verdict === undefined) return outcome;
  const { verdict } = outcome;
  if (verdict.status === 'inconclusive') return outcome;
  const holds = verdict.status === 'failed';
  return {
    assertion,
    verdict: { ...verdict, status: holds ? 'passed' : 'failed', findings: holds ? [] : [itHolds(assertion)] },
  };
}

function inWordsOfTests(verdict: Verdict, { source }: View): Verdict {
  const told = verdictInOptionWords(verdict);
  return source.kind === 'memory' ? withoutSpans(told) : told;
}

function itHolds(assertion: Assertion): Finding {
  return {
    code: `${kebabCase(assertion.id)}/holds`,
    arguments: {},
    spans: [],
    expected: `the opposite of: ${assertion.summary}`,
    observed: 'it holds',
  };
}

/** What is not decided of tools is read beside the tools that were seen. */
function seenLine({ assertion }: Claim, { run, traces }: View): string[] {
  if (!assertion.id.startsWith('Tool') || traces.length === 0) return [];
  const names = run.toolCalls.map(({ name }) => (name === null ? 'a tool without a name' : displayName(name)));
  return [`    seen      ${names.length === 0 ? 'no tool call' : `calls of ${listed(names, 8)}`}`];
}

function strayLines({ open, others }: RecordedRun): string[] {
  const named = (strays: RecordedRun['open']) =>
    strays
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ');
  return [
    ...(open.length === 0 ? [] : [`    open      ${open.length} not ended: ${named(open)}`]),
    ...(others.length === 0
      ? []
      : [`    others    ${counted(others.length, 'span')} of no recording: ${named(others)}`]),
  ];
}
