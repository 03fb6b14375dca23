import { canonicalJson } from '../../trace/canonical-json.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { type Pathology, pathologiesOf } from './rejected-calls.ts';

/** What a validator of the Standard Schema kind says: zod, valibot, ArkType. */
export interface StandardValidator {
  readonly '~standard': {
    validate(value: unknown): StandardResult | Promise<StandardResult>;
  };
}

interface StandardResult {
  readonly issues?: readonly { readonly path?: readonly unknown[] | undefined }[] | undefined;
}

/** What the model function is asked for: one first call, as in production. */
export interface FirstCallRequest {
  readonly tool: string;
  readonly instruction: string;
  readonly temperature: 1;
  /** From 0. */
  readonly index: number;
}

export interface FirstCallsGivens {
  readonly tool: string;
  /** The schema that production validates with. */
  readonly schema: StandardValidator;
  /** What a user really asks. */
  readonly instruction: string;
  /** Asks a model once, at this temperature; resolves with the arguments of its first call, `undefined` where it made none. */
  generate(request: FirstCallRequest): Promise<unknown>;
  /** Default 50. */
  readonly times?: number | undefined;
  /** Default 5. */
  readonly concurrency?: number | undefined;
}

/** A first call that the validator refuses, however often it came. */
export interface RejectedFirstCall {
  readonly arguments: unknown;
  readonly times: number;
  /** Fields that the validator names, as `customer.id`. */
  readonly fields: readonly string[];
  /** Where there are any, it tests the validator, and no recovery. */
  readonly pathologies: readonly Pathology[];
}

export interface FirstCalls {
  readonly asked: number;
  /** The model did not call the tool. */
  readonly withoutCall: number;
  readonly valid: number;
  /** The most frequent first. */
  readonly rejected: readonly RejectedFirstCall[];
}

const usual = { times: 50, concurrency: 5 };

/**
 * A corpus before there is traffic: lets a model make the first call many times at temperature 1.0, and keeps those that the
 * real schema refuses. What a model function throws is thrown on: a corpus of half the questions would look like a whole one.
 *
 * @throws OtelEvalError OTEL_EVAL_USAGE where no question led to a call: then nothing is known of first calls
 * @example
 * const { rejected } = await firstCalls({ tool: 'update_ticket', schema, instruction: 'Close T-8841, please.', generate });
 */
export async function firstCalls(givens: FirstCallsGivens): Promise<FirstCalls> {
  const { tool, schema, instruction, times = usual.times, concurrency = usual.concurrency } = givens;
  const rejected = new Map<string, RejectedFirstCall>();
  let [valid, withoutCall, next] = [0, 0, 0];
  const work = async (): Promise<void> => {
    while (next < times) {
      const index = next;
      next += 1;
      const made = await givens.generate({ tool, instruction, temperature: 1, index });
      if (made === undefined) withoutCall += 1;
      else if (await keep(made, schema, rejected)) valid += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, times)) }, work));
  if (withoutCall === times) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected first calls of ${tool}, got none in ${times} questions`, {
      hint: 'give generate() the tool with its real schema, and an instruction that needs it',
    });
  }
  const sorted = [...rejected].sort(([a, first], [b, second]) => second.times - first.times || (a < b ? -1 : 1));
  return { asked: times, withoutCall, valid, rejected: sorted.map(([, call]) => call) };
}

/** `true` for a valid call; another one is kept. */
async function keep(
  made: unknown,
  schema: StandardValidator,
  rejected: Map<string, RejectedFirstCall>,
): Promise<boolean> {
  const { issues } = await schema['~standard'].validate(made);
  if (issues === undefined) return true;
  const key = canonicalJson(made);
  const known = rejected.get(key);
  const fields = [
    ...new Set(issues.map(({ path = [] }) => path.map(stepOf).join('.')).filter((field) => field !== '')),
  ];
  const pathologies = pathologiesOf(made as never);
  rejected.set(key, { arguments: made, fields, pathologies, times: (known?.times ?? 0) + 1 });
  return false;
}

/** A step may be a key, or an object with one. */
function stepOf(step: unknown): string {
  return String(typeof step === 'object' && step !== null ? (step as { readonly key?: unknown }).key : step);
}
