import { ownAttributes } from '../trace/own-attributes.ts';
import { mayShowFailure, showsFailure } from '../trace/result-failure.ts';
import type { AskedAnswer } from './asked-calls.ts';
import { isObject } from './content.ts';
import { showsDenial } from './denial.ts';
import type { Layer } from './layer.ts';
import type { Evidence, Json, Outcome } from './run.ts';
import { loggedException, marksOf, noMarks } from './span-failure.ts';
import { unwrapped } from './unwrapped-result.ts';

export interface Judged {
  readonly outcome: Outcome;
  readonly evidence: readonly Evidence[];
}

/**
 * The outcome of a tool call by layered evidence. Any mark of failure on any layer counts; success needs a result that
 * was seen and shows none. What nothing tells is `unknown`, or `ended` where the call came to its end.
 */
export function outcomeOf(layers: readonly Layer[], answer: AskedAnswer | undefined): Judged {
  if (layers.length === 0) return ofMessage(answer);
  const [only] = layers;
  if (answer === undefined && only !== undefined && layers.length === 1 && isPlainSuccess(only)) return plainSuccess;
  const done = layers.filter((layer) => !steered(layer));
  const denied = layers.some((layer) => layer.value('toolMark') === 'denied');
  if (denied || showsDenial(answer?.result)) return { outcome: 'denied', evidence: ['result'] };
  const failed = failures(done, answer);
  if (failed.length > 0 && mayBeRefused(layers, failed)) return { outcome: 'unknown', evidence: [] };
  if (failed.length > 0) return { outcome: 'failed', evidence: failed };
  if (done.length === 0) return { outcome: 'unknown', evidence: [] };
  if (done.every(({ span }) => span.endUnixNano === undefined)) return { outcome: 'unknown', evidence: [] };
  const good = successes(done, answer);
  return good.length > 0
    ? { outcome: 'succeeded', evidence: ['status', ...good] }
    : { outcome: 'ended', evidence: ['status'] };
}

const plainSuccess: Judged = { outcome: 'succeeded', evidence: ['status', 'result'] };

/** The usual call, told of by one span: it ended, bears no mark at all, and its result was seen and shows no failure. */
function isPlainSuccess(layer: Layer): boolean {
  const { span, dialect } = layer;
  if (span.endUnixNano === undefined || span.attributes.get(ownAttributes.toolResultFailed) !== undefined) return false;
  if (marksOf(span, dialect) !== noMarks || layer.value('toolMark') !== undefined) return false;
  return layer.holds('result') && !layer.mayHold('result', mayShowFailure) && !loggedException(layer);
}

function steered(layer: Layer): boolean {
  const mark = layer.value('toolMark');
  if (mark === 'waiting' || mark === 'not-run' || mark === 'steered' || mark === 'untold') return true;
  return mark === undefined && marksOf(layer.span, layer.dialect).steered;
}

/**
 * A call that waited in an earlier trace and then bears no more than the mark which its framework leaves on a failure
 * and on a person's refusal alike: what it was stands in the result, and that is not here.
 */
function mayBeRefused(layers: readonly Layer[], failed: readonly Evidence[]): boolean {
  const last = layers.at(-1);
  const waited = layers.length > 1 && layers[0]?.trace !== last?.trace;
  if (!waited || last === undefined || failed.some((evidence) => evidence !== 'status' && evidence !== 'error.type'))
    return false;
  const type = last.span.attributes.get('error.type');
  return (
    typeof type === 'string' && last.dialect.refusal?.test(type) === true && !layers.some((one) => one.holds('result'))
  );
}

function failures(layers: readonly Layer[], answer: AskedAnswer | undefined): readonly Evidence[] {
  const found = new Set<Evidence>();
  for (const layer of layers) {
    for (const evidence of marksOf(layer.span, layer.dialect).failed) found.add(evidence);
    if (loggedException(layer)) found.add('exception');
    if (layer.value('toolMark') === 'failed') found.add('result');
    if (layer.span.attributes.get(ownAttributes.toolResultFailed) === true) found.add('stamp');
    if (layer.mayHold('result', mayShowFailure) && showsFailure(layer.value('result'))) found.add('result');
  }
  if (answer?.failed === true || showsFailure(answer?.result)) found.add('message');
  return [...found];
}

function successes(layers: readonly Layer[], answer: AskedAnswer | undefined): readonly Evidence[] {
  const found = new Set<Evidence>();
  for (const layer of layers) {
    if (layer.holds('result')) found.add('result');
    if (layer.span.attributes.get(ownAttributes.toolResultFailed) === false) found.add('stamp');
    if (layer.value('toolMark') === 'succeeded') found.add('result');
  }
  if (answer?.result !== undefined) found.add('message');
  return [...found];
}

/**
 * A call without a span is judged by the answer that the model got. Plain text may be how the loop wrote a failure
 * down, so only a structure, or a mark of the message itself, speaks of success.
 */
function ofMessage(answer: AskedAnswer | undefined): Judged {
  if (answer === undefined) return { outcome: 'unknown', evidence: [] };
  if (showsDenial(answer.result)) return { outcome: 'denied', evidence: ['message'] };
  if (answer.failed === true || showsFailure(answer.result)) return { outcome: 'failed', evidence: ['message'] };
  const telling = answer.failed === false || isStructure(answer.result);
  return { outcome: telling ? 'succeeded' : 'ended', evidence: ['message'] };
}

function isStructure(result: Json | undefined): boolean {
  const value = unwrapped(result);
  if (!Array.isArray(value)) return typeof value === 'object' && value !== null;
  return (value as readonly Json[]).every((item) => !isObject(item) || typeof item['type'] !== 'string');
}
