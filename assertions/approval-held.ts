import { z } from 'zod';
import type { ToolCall } from '../src/agent/run.ts';
import type { Span } from '../src/trace/span.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks, undecided } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { unseen } from '../src/verdict/sight.ts';
import { clockNanos, nearestAbove, type StageEvent, stageEvents, textOf } from '../src/verdict/stage-events.ts';
import { didRun } from '../src/verdict/tool-match.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, quoted } from '../src/verdict/wording.ts';

export interface ApprovalHeldParameters {
  readonly tool: string;
  readonly resume: string;
}

const parameters: z.ZodType<ApprovalHeldParameters> = z
  .strictObject({
    tool: z.string().min(1).describe('The tool whose calls wait for a person.'),
    resume: z
      .string()
      .min(1)
      .describe('Name of the span of the operation that takes the decision and goes on: the one of production.'),
  })
  .describe('A tool runs once for each approval, through the operation that resumes, and a used approval is refused.');

const findings = {
  'ran-unapproved': sentence<{ tool: string; resume: string; calls: number }>({
    expected: ({ tool, resume }) => `every call of ${tool} below a ${resume} in which it was granted`,
    observed: ({ calls }) => `${counted(calls, 'call')} elsewhere`,
  }),
  'not-through-resume': sentence<{ stage: string; resume: string; events: number }>({
    expected: ({ stage, resume }) => `${stage} inside of ${resume}`,
    observed: ({ events }) => `${counted(events, 'time')} outside of it`,
  }),
  'not-continued': sentence<{ tool: string; approvals: number }>({
    expected: ({ tool }) => `a call of ${tool} after each approval that was granted`,
    observed: ({ approvals }) => `none after ${counted(approvals, 'approval')}`,
  }),
  'continued-twice': sentence<{ tool: string; calls: number }>({
    expected: ({ tool }) => `one call of ${tool} for each approval`,
    observed: ({ calls }) => `${counted(calls, 'call')} where fewer were granted`,
  }),
  'replay-accepted': sentence<{ approvals: number }>({
    expected: () => 'an approval that was used is refused when it comes again',
    observed: ({ approvals }) => `${counted(approvals, 'approval')} granted more than once`,
  }),
};
const finding = findingMaker('ApprovalHeld', findings);

/** What is known of the approvals of one tool, each under the id of its token. */
interface Approvals {
  readonly asked: ReadonlySet<string>;
  /** Evidence of the tool's approvals that names no id. */
  readonly nameless: number;
  readonly granted: readonly StageEvent[];
  readonly refused: readonly StageEvent[];
  readonly resumeOf: (span: Span) => Span | undefined;
}

const idKey = 'approval_id';

function approvalsOf(view: View, { tool, resume }: ApprovalHeldParameters): Approvals {
  const own = stageEvents(view, 'approval').filter((event) => (textOf(event, 'gen_ai.tool.name') ?? tool) === tool);
  const named = own.filter((event) => textOf(event, idKey) !== undefined);
  const of = (stage: string) => named.filter((event) => event.stage === stage);
  return {
    asked: new Set(of('asked').flatMap((event) => textOf(event, idKey) ?? [])),
    nameless: own.length - named.length,
    granted: of('granted'),
    refused: of('replay_refused'),
    resumeOf: nearestAbove(view, ({ name }) => name === resume),
  };
}

interface Placed {
  readonly call: ToolCall;
  readonly resume: Span | undefined;
}

/** What was granted in each operation that resumes, in order of time. */
type GrantedIn = ReadonlyMap<Span, readonly StageEvent[]>;

function byResume(granted: readonly StageEvent[], resumeOf: Approvals['resumeOf']): GrantedIn {
  const found = new Map<Span, StageEvent[]>();
  for (const event of granted) {
    const resume = resumeOf(event.span);
    if (resume !== undefined) found.set(resume, [...(found.get(resume) ?? []), event]);
  }
  return found;
}

function isBefore({ startUnixNano }: ToolCall, { timeUnixNano }: StageEvent): boolean {
  return startUnixNano !== undefined && startUnixNano + clockNanos < timeUnixNano;
}

function evaluate(view: View, given: ApprovalHeldParameters): Verdict {
  const approvals = approvalsOf(view, given);
  const { granted, resumeOf } = approvals;
  const calls = view.run.toolCalls.filter((call) => call.name === given.tool && didRun(call) === 'yes');
  const placed = calls.map((call): Placed => ({ call, resume: call.spans.flatMap((span) => resumeOf(span) ?? [])[0] }));
  const grantedIn = byResume(granted, resumeOf);
  const violated = [
    ...unapproved(placed, grantedIn, given),
    ...outsideOf(approvals, given),
    ...twice(placed, grantedIn, given),
    ...replayed(granted),
  ];
  const stopped = [...grantedIn].flatMap(([resume, events]) => {
    const left = events.length - placed.filter((one) => one.resume === resume).length;
    return left > 0 ? [{ resume, left }] : [];
  });
  const approvalsLeft = stopped.reduce((sum, { left }) => sum + left, 0);
  const open = [...undecided('whole', view), ...unseen(view.run, ['toolCalls', 'failedToolCalls', 'toolNames'])];
  const whole =
    approvalsLeft > 0
      ? [
          finding('not-continued', {
            arguments: { tool: quoted(given.tool), approvals: approvalsLeft },
            spans: stopped.map(({ resume }) => resume),
          }),
        ]
      : [];
  return conclude({
    examined: spansExamined(view.run),
    findings: [...violated, ...(open.length > 0 ? [] : whole)],
    missing: [...open, ...lacking(view, given, approvals)],
    remarks: groundRemarks(view),
  });
}

function unapproved(
  placed: readonly Placed[],
  grantedIn: GrantedIn,
  { tool, resume }: ApprovalHeldParameters,
): readonly Finding[] {
  // Of a call without a span of its own nobody knows where it stands.
  const elsewhere = placed.filter(({ call, resume: span }) => {
    const first = span === undefined ? undefined : grantedIn.get(span)?.[0];
    return call.spans.length > 0 && (first === undefined || isBefore(call, first));
  });
  if (elsewhere.length === 0) return [];
  const args = { tool: quoted(tool), resume: quoted(resume), calls: elsewhere.length };
  return [
    finding('ran-unapproved', { arguments: args, spans: elsewhere.flatMap(({ call }) => call.spans.slice(0, 1)) }),
  ];
}

function outsideOf({ granted, refused, resumeOf }: Approvals, { resume }: ApprovalHeldParameters): readonly Finding[] {
  return [...[granted, refused]].flatMap((events) => {
    const outside = events.filter(({ span }) => resumeOf(span) === undefined);
    const [first] = outside;
    if (first === undefined) return [];
    const args = { stage: first.stage, resume: quoted(resume), events: outside.length };
    return [finding('not-through-resume', { arguments: args, spans: outside.map(({ span }) => span) })];
  });
}

function twice(placed: readonly Placed[], grantedIn: GrantedIn, { tool }: ApprovalHeldParameters): readonly Finding[] {
  return [...grantedIn].flatMap(([resume, events]) => {
    const own = placed.filter((one) => one.resume === resume);
    if (own.length <= events.length) return [];
    const spans = own.flatMap(({ call }) => call.spans.slice(0, 1));
    return [finding('continued-twice', { arguments: { tool: quoted(tool), calls: own.length }, spans })];
  });
}

function replayed(granted: readonly StageEvent[]): readonly Finding[] {
  const seen = new Set<string>();
  const again = granted.filter((event) => {
    const id = textOf(event, idKey) ?? '';
    const isAgain = seen.has(id);
    seen.add(id);
    return isAgain;
  });
  if (again.length === 0) return [];
  const approvals = new Set(again.map((event) => textOf(event, idKey))).size;
  return [finding('replay-accepted', { arguments: { approvals }, spans: again.map(({ span }) => span) })];
}

function lacking(
  view: View,
  { tool }: ApprovalHeldParameters,
  { asked, nameless, granted, refused }: Approvals,
): readonly MissingEvidence[] {
  const ids = new Set(granted.flatMap((event) => textOf(event, idKey) ?? []));
  const replays = refused.filter((event) => ids.has(textOf(event, idKey) ?? ''));
  const spanless = view.run.toolCalls.filter(({ name, spans }) => name === tool && spans.length === 0).length;
  const stamp = (is: boolean, message: string) => (is ? [{ kind: 'stamp', message }] : []);
  const evidence = 'humanInput of otel-eval/instrument writes it';
  return [
    ...stamp(
      nameless > 0,
      `${counted(nameless, 'piece')} of evidence of an approval names no approval_id, so nobody can tell whether it was used twice; ${evidence}`,
    ),
    ...stamp(asked.size === 0, `nothing tells that an approval of ${quoted(tool)} was asked for; ${evidence}`),
    ...stamp(
      [...ids].some((id) => !asked.has(id)),
      `an approval was granted that nothing tells was asked for; ${evidence}`,
    ),
    ...stamp(ids.size === 0, `no approval of ${quoted(tool)} was granted, so it is not shown that the run goes on`),
    ...stamp(
      ids.size > 0 && replays.length === 0,
      'no approval that was used came again and was refused, so nothing shows that it would be',
    ),
    ...(spanless > 0
      ? [
          {
            kind: 'visibility',
            message: `${counted(spanless, 'call')} of ${quoted(tool)} without a span of its own; nobody knows where it ran`,
          },
        ]
      : []),
  ];
}

export const approvalHeld: Assertion<ApprovalHeldParameters> = {
  id: 'ApprovalHeld',
  summary: 'A tool ran once for each approval, through the operation that resumes, and a used approval was refused.',
  needs:
    'evidence of approvals with their ids, one that was used again among them; a whole trace in which tool calls, failed ones too, are shown',
  parameters,
  findings,
  evaluate,
};
