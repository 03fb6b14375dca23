import { z } from 'zod';
import type { ToolCall } from '../src/agent/run.ts';
import type { Span } from '../src/trace/span.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks, undecided } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { unseen } from '../src/verdict/sight.ts';
import { cameBefore, nearestAbove, type StageEvent, stageEvents, textOf } from '../src/verdict/stage-events.ts';
import { didRun } from '../src/verdict/tool-match.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, quoted } from '../src/verdict/wording.ts';

export interface ProcedureGuardedParameters {
  readonly procedure: string;
  readonly tool: string;
  readonly precondition: string;
}

const parameters: z.ZodType<ProcedureGuardedParameters> = z
  .strictObject({
    procedure: z.string().min(1).describe('procedure_id in its evidence.'),
    tool: z.string().min(1).describe('The tool that the procedure calls.'),
    precondition: z
      .string()
      .min(1)
      .describe('Name of the span of the check that lets it run or not: the one of production.'),
  })
  .describe('A drafted procedure does nothing; an approved one runs where its precondition read an identity that may.');

const findings = {
  'allowed-as-draft': sentence<{ turns: number }>({
    expected: () => 'the procedure is let run only after its approval',
    observed: ({ turns }) => `${counted(turns, 'time')} before`,
  }),
  'ran-when-not-allowed': sentence<{ tool: string; calls: number; blocked: number }>({
    expected: ({ tool }) => `calls of ${tool} only in turns in which the precondition let the procedure run`,
    observed: ({ calls, blocked }) => `${counted(calls, 'call')} in others, ${blocked} of them where it was blocked`,
  }),
  'not-run-when-allowed': sentence<{ tool: string; turns: number }>({
    expected: ({ tool }) => `a call of ${tool} in each turn in which the precondition let the procedure run`,
    observed: ({ turns }) => `none in ${counted(turns, 'turn')}`,
  }),
  'not-by-precondition': sentence<{ stage: string; precondition: string; events: number }>({
    expected: ({ stage, precondition }) => `${stage} by ${precondition}`,
    observed: ({ events }) => `${counted(events, 'time')} from elsewhere`,
  }),
  'identity-not-read': sentence<{ stage: string; events: number }>({
    expected: ({ stage }) => `the precondition read an identity before it said ${stage}`,
    observed: ({ events }) => `${counted(events, 'time')} it did not`,
  }),
  'identity-without-weight': sentence<{ identities: number }>({
    expected: () => 'another identity where the procedure was blocked than where it was allowed',
    observed: ({ identities }) => `${counted(identities, 'identity', 'identities')} both allowed and blocked`,
  }),
};
const finding = findingMaker('ProcedureGuarded', findings);

const identityKey = 'identity_sha256';

interface Evidence {
  readonly drafted: StageEvent | undefined;
  readonly approved: StageEvent | undefined;
  readonly allowed: readonly StageEvent[];
  readonly blocked: readonly StageEvent[];
  /** Of these, those that came when it was approved. */
  readonly blockedLater: readonly StageEvent[];
  readonly turnOf: (span: Span) => Span | undefined;
}

function evidenceOf(view: View, { procedure }: ProcedureGuardedParameters): Evidence {
  const own = stageEvents(view, 'procedure').filter((event) => textOf(event, 'procedure_id') === procedure);
  const of = (stage: string) => own.filter((event) => event.stage === stage);
  const agents = new Set(view.run.steps.flatMap(({ kind, spans }) => (kind === 'agent' ? spans : [])));
  const [approved] = of('approved');
  const blocked = of('blocked');
  return {
    drafted: of('drafted')[0],
    approved,
    allowed: of('allowed'),
    blocked,
    blockedLater: blocked.filter((event) => approved !== undefined && cameBefore(approved, event)),
    turnOf: nearestAbove(view, (span) => agents.has(span) || span.parentSpanId === undefined),
  };
}

function evaluate(view: View, given: ProcedureGuardedParameters): Verdict {
  const evidence = evidenceOf(view, given);
  const calls = view.run.toolCalls.filter((call) => call.name === given.tool && didRun(call) === 'yes');
  const violated = [
    ...asDraft(evidence),
    ...notAllowed(calls, evidence, given),
    ...byOthers(view, evidence, given),
    ...unread(evidence),
    ...weightless(evidence),
  ];
  const open = [...undecided('whole', view), ...unseen(view.run, ['toolCalls', 'failedToolCalls', 'toolNames'])];
  return conclude({
    examined: spansExamined(view.run),
    findings: [...violated, ...(open.length > 0 ? [] : idle(calls, evidence, given))],
    missing: [...open, ...lacking(evidence)],
    remarks: groundRemarks(view),
  });
}

function asDraft({ approved, allowed }: Evidence): readonly Finding[] {
  if (approved === undefined) return [];
  const early = allowed.filter((event) => cameBefore(event, approved));
  if (early.length === 0) return [];
  return [finding('allowed-as-draft', { arguments: { turns: early.length }, spans: early.map(({ span }) => span) })];
}

function turnsOf(events: readonly StageEvent[], turnOf: Evidence['turnOf']): ReadonlySet<Span> {
  return new Set(events.flatMap(({ span }) => turnOf(span) ?? []));
}

function notAllowed(
  calls: readonly ToolCall[],
  { allowed, blocked, turnOf }: Evidence,
  { tool }: ProcedureGuardedParameters,
): readonly Finding[] {
  const may = turnsOf(allowed, turnOf);
  const mayNot = turnsOf(blocked, turnOf);
  const isIn = ({ spans }: ToolCall, turns: ReadonlySet<Span>) => spans.some((span) => turns.has(turnOf(span) ?? span));
  // A turn in which both were said says nothing of its calls.
  const wrong = calls.filter((call) => call.spans.length > 0 && (!isIn(call, may) || isIn(call, mayNot)));
  if (wrong.length === 0) return [];
  const args = { tool: quoted(tool), calls: wrong.length, blocked: wrong.filter((call) => isIn(call, mayNot)).length };
  return [finding('ran-when-not-allowed', { arguments: args, spans: wrong.flatMap(({ spans }) => spans.slice(0, 1)) })];
}

function idle(
  calls: readonly ToolCall[],
  { allowed, turnOf }: Evidence,
  { tool }: ProcedureGuardedParameters,
): readonly Finding[] {
  const busy = new Set(calls.flatMap(({ spans }) => spans.flatMap((span) => turnOf(span) ?? [])));
  const turns = [...turnsOf(allowed, turnOf)].filter((turn) => !busy.has(turn));
  if (turns.length === 0) return [];
  return [finding('not-run-when-allowed', { arguments: { tool: quoted(tool), turns: turns.length }, spans: turns })];
}

function byOthers(
  view: View,
  { allowed, blocked }: Evidence,
  { precondition }: ProcedureGuardedParameters,
): readonly Finding[] {
  const checkOf = nearestAbove(view, ({ name }) => name === precondition);
  return [allowed, blocked].flatMap((events) => {
    const others = events.filter(({ span }) => checkOf(span) === undefined);
    const [first] = others;
    if (first === undefined) return [];
    const args = { stage: first.stage, precondition: quoted(precondition), events: others.length };
    return [finding('not-by-precondition', { arguments: args, spans: others.map(({ span }) => span) })];
  });
}

function unread({ allowed, blockedLater }: Evidence): readonly Finding[] {
  return [allowed, blockedLater].flatMap((events) => {
    const blind = events.filter((event) => textOf(event, identityKey) === undefined);
    const [first] = blind;
    if (first === undefined) return [];
    const args = { stage: first.stage, events: blind.length };
    return [finding('identity-not-read', { arguments: args, spans: blind.map(({ span }) => span) })];
  });
}

function weightless({ allowed, blockedLater }: Evidence): readonly Finding[] {
  const may = new Set(allowed.flatMap((event) => textOf(event, identityKey) ?? []));
  const both = blockedLater.filter((event) => may.has(textOf(event, identityKey) ?? ''));
  if (both.length === 0) return [];
  const identities = new Set(both.map((event) => textOf(event, identityKey))).size;
  return [finding('identity-without-weight', { arguments: { identities }, spans: both.map(({ span }) => span) })];
}

function lacking({ drafted, approved, allowed, blocked, blockedLater }: Evidence): readonly MissingEvidence[] {
  const inert = blocked.some((event) => approved !== undefined && cameBefore(event, approved));
  const absent: readonly (readonly [boolean, string])[] = [
    [drafted === undefined, 'that the procedure was drafted (procedure.drafted)'],
    [approved === undefined, 'that it was approved (procedure.approved)'],
    [!inert, 'that it was asked for as a draft and did nothing (procedure.blocked before its approval)'],
    [allowed.length === 0, 'that its precondition let it run (procedure.allowed)'],
    [blockedLater.length === 0, 'that its precondition kept it from running when it was approved (procedure.blocked)'],
  ];
  return absent.flatMap(([is, what]) =>
    is ? [{ kind: 'stamp', message: `nothing tells ${what}; stageEvidence of otel-eval/instrument would` }] : [],
  );
}

export const procedureGuarded: Assertion<ProcedureGuardedParameters> = {
  id: 'ProcedureGuarded',
  summary: 'A drafted procedure did nothing; approved, it ran where its precondition had read an identity that may.',
  needs:
    'evidence of the procedure as draft, approved, allowed and blocked; a whole trace in which tool calls, failed ones too, are shown',
  parameters,
  findings,
  evaluate,
};
