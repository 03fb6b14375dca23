import type { Message, ModelCall, Run, ToolCall } from '../../agent/run.ts';
import { showsFailure } from '../../trace/result-failure.ts';
import { startOrder } from '../read/visible-calls.ts';
import type { ValueTools } from './value-tools.ts';

/** What the evidence of a trial can show: that counting works, what a scripted model did, or what a live one did. */
export type TrialEvidenceLevel = 'instrumentation' | 'scripted_model' | 'live_n1' | 'live_n';

export interface Core227Report {
  readonly preset: 'strict' | 'general';
  readonly passed: boolean;
  /** What did not hold, one clause each. */
  readonly failures: readonly string[];
  readonly evidenceLevel: TrialEvidenceLevel;
  /** What requests were counted at: model calls as the agent makes them, not hidden HTTP tries. */
  readonly boundary: 'chat';
  readonly finalAnswer: string | null;
  readonly readAttempts: number;
  readonly recordAttempts: number;
  readonly appliedEffects: number;
  readonly duplicateEffects: number;
  readonly recordedValues: readonly number[];
  readonly modelCalls: number;
  /** `null`: the route does not expose one, and nobody knows. */
  readonly stopReason: string | null;
  /** The request, from 1, in which the model was sent the error of the failed read; `null` where none was. */
  readonly errorObservedIn: number | null;
  /** Requests, from 1, that asked for each read and each record. */
  readonly readRounds: readonly number[];
  readonly recordRounds: readonly number[];
  readonly routeEntries: number;
  readonly notCovered: readonly string[];
}

export interface Core227Givens {
  readonly tools: Pick<ValueTools, 'counts' | 'ledger' | 'recorded' | 'errorMessage'>;
  readonly preset?: 'strict' | 'general' | undefined;
  readonly evidenceLevel: TrialEvidenceLevel;
  /** Name of the agent span that stands for the route. */
  readonly route: string;
}

/** What a pass does not speak of. */
const notCovered = ['streaming', 'typed projection', 'warnings of constructors', 'default admission'];
const wanted = 42;

/**
 * Judges one trial by what its trace shows and its tools count. A right-looking answer alone does not pass; a retry that was
 * asked for before the error could be seen is none.
 */
export function core227Report(run: Run, givens: Core227Givens): Core227Report {
  const { tools, preset = 'strict', evidenceLevel, route } = givens;
  const models = run.modelCalls.toSorted(startOrder);
  const reads = callsOf(run, 'read_value');
  const entries = tools.ledger.entries;
  const last = models.at(-1);
  const facts = {
    finalAnswer: textOf(last),
    readAttempts: tools.counts.reads,
    recordAttempts: tools.counts.records,
    appliedEffects: entries.filter(({ state }) => state === 'committed').length,
    duplicateEffects: Math.max(0, entries.length - 1),
    recordedValues: [...tools.recorded],
    modelCalls: models.length,
    stopReason: last?.finish ?? null,
    errorObservedIn: observedIn(models, reads, tools.errorMessage),
    readRounds: reads.map((call) => roundOf(call, models)),
    recordRounds: callsOf(run, 'record_value').map((call) => roundOf(call, models)),
    routeEntries: run.steps.filter(({ kind, name }) => kind === 'agent' && name === route).length,
  };
  const failures = [...generalFailures(facts), ...(preset === 'strict' ? strictFailures(facts) : [])];
  return { preset, passed: failures.length === 0, failures, evidenceLevel, boundary: 'chat', ...facts, notCovered };
}

type Facts = Omit<Core227Report, 'preset' | 'passed' | 'failures' | 'evidenceLevel' | 'boundary' | 'notCovered'>;

function generalFailures(facts: Facts): string[] {
  const { errorObservedIn: seen, readRounds, recordRounds } = facts;
  const retried = seen !== null && readRounds.some((round) => round >= seen);
  const lastRead = Math.max(...readRounds, 0);
  return failing([
    [seen !== null, 'no request of the model holds the error of the failed read'],
    [retried, 'the read was not tried again in a round that had seen its error'],
    [facts.appliedEffects === 1, `expected one applied record, got ${facts.appliedEffects}`],
    [facts.duplicateEffects === 0, `expected no second record, got ${facts.duplicateEffects}`],
    [recordRounds.every((round) => round > lastRead), 'the value was recorded before it was read'],
    [facts.recordedValues[0] === wanted, 'another value was recorded than was read'],
    [(facts.finalAnswer ?? '').trim() === String(wanted), 'the final answer is another one'],
    [facts.routeEntries > 0, 'the route was not observed in this trace'],
    [facts.routeEntries < 2, `expected the route to be entered once, got ${facts.routeEntries}`],
  ]);
}

function strictFailures({ modelCalls, readRounds, recordRounds, errorObservedIn }: Facts): string[] {
  const rounds = `reads in ${readRounds.join(', ')}, record in ${recordRounds.join(', ')}`;
  return failing([
    [modelCalls === 4, `expected four model calls, got ${modelCalls}`],
    [
      readRounds.join() === '1,2' && recordRounds.join() === '3',
      `expected reads in 1, 2 and the record in 3, got ${rounds}`,
    ],
    [errorObservedIn === 2, 'the second request does not hold the error'],
  ]);
}

function failing(rules: readonly (readonly [boolean, string])[]): string[] {
  return rules.flatMap(([holds, failure]) => (holds ? [] : [failure]));
}

function callsOf(run: Run, tool: string): readonly ToolCall[] {
  return run.toolCalls.filter(({ name }) => name === tool).toSorted(startOrder);
}

function roundOf(call: ToolCall, models: readonly ModelCall[]): number {
  const asked = models.findIndex((model) =>
    (model.outputMessages() ?? []).some(({ toolCalls }) =>
      toolCalls.some(({ id }) => id !== null && id === call.callId),
    ),
  );
  return asked >= 0 ? asked + 1 : models.filter((model) => startOrder(model, call) < 0).length;
}

/** The first request that carries the error of the failed read, by the id of its call: a made-up answer is none. */
function observedIn(models: readonly ModelCall[], reads: readonly ToolCall[], errorMessage: string): number | null {
  const failed = reads.find(({ outcome }) => outcome === 'failed');
  if (failed === undefined || failed.callId === null) return null;
  const carries = ({ toolResults }: Message): boolean =>
    toolResults.some((each) => each.id === failed.callId && isError(each, errorMessage));
  const at = models.findIndex((model) => (model.inputMessages() ?? []).some(carries));
  return at < 0 ? null : at + 1;
}

function isError({ failed, result }: Message['toolResults'][number], errorMessage: string): boolean {
  const words = JSON.stringify(errorMessage).slice(1, -1);
  return failed === true || showsFailure(result) || (JSON.stringify(result) ?? '').includes(words);
}

function textOf(model: ModelCall | undefined): string | null {
  const text = (model?.outputMessages() ?? []).map((message) => message.text).join('\n');
  return text === '' ? null : text;
}
