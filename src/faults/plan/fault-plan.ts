import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../trace/canonical-json.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { type FaultDocument, faultSchema } from './fault-document.ts';
import type { InjectionPoint } from './fault-kind.ts';
import { type InjectionMode, modeSchema, notRepeatable } from './injection-mode.ts';

/** Which calls, which fault, how long. */
export interface Injection {
  readonly tool: string;
  /** The call's arguments hold at least these. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** The n-th matching model-visible call, from 1. */
  readonly occurrence: number;
  readonly fault: FaultDocument;
  /** Faults of the following hits, in order; the last one repeats. Empty: `fault` every time. */
  readonly escalate: readonly FaultDocument[];
  readonly mode: InjectionMode;
}

/** One row of a plan: one scenario, run once per trial as `task#row`. */
export interface PlanRow extends Injection {
  /** Name of the scenario whose steps are asked. */
  readonly task: string;
  /** Default: its number in the plan, from 1. */
  readonly row: string;
  readonly point: InjectionPoint;
  /** Further faults of the same scenario: a combination is never an accident. */
  readonly also: readonly Injection[];
}

/** A plan with its fingerprint; counts of two plans are not compared. */
export interface FaultPlan {
  readonly rows: readonly PlanRow[];
  /** `sha256:` and hex digits, of the rows alone. */
  readonly hash: string;
}

const injection = {
  tool: z.string().min(1).describe('Name of the tool as the model calls it.'),
  arguments: z.record(z.string(), z.json()).optional().describe('Arguments that the call must hold.'),
  occurrence: z.int().positive().default(1).describe('The n-th matching call that the model makes. Default: 1.'),
  fault: faultSchema,
  escalate: z.array(faultSchema).default([]).describe('Faults of the hits after the first, in order.'),
  mode: modeSchema.default('single'),
};

const rowSchema = z.strictObject({
  task: z.string().min(1).describe('Name of the scenario.'),
  row: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'expected letters, digits, dots and dashes')
    .optional()
    .describe('Name of the row. Default: its number.'),
  ...injection,
  point: z
    .enum(['above_client', 'below_client'])
    .default('above_client')
    .describe('above_client: what the model calls. below_client: the wire, under the retries of the client.'),
  also: z.array(z.strictObject(injection)).default([]).describe('Further faults of the same scenario.'),
});

/** `faults:` of a suite. */
export const faultRowsSchema: z.ZodType<readonly unknown[]> = z
  .array(rowSchema)
  .min(1)
  .describe('Fault plan: each row is a scenario of its own, task#row.');

/** The scenario of a row. */
export function scenarioOfRow({ task, row }: Pick<PlanRow, 'task' | 'row'>): string {
  return `${task}#${row}`;
}

/**
 * Reads a plan.
 *
 * @param document - rows as data: task, tool, arguments, occurrence, fault, mode, point
 * @throws OtelEvalError OTEL_EVAL_SUITE, naming the row and what is wrong with it
 * @example
 * parseFaultPlan([{ task: 'books a slot', tool: 'create_event', fault: 'timeout_but_applied' }]).rows[0]?.row; // '1'
 */
export function parseFaultPlan(document: unknown): FaultPlan {
  const parsed = z.array(rowSchema).min(1).safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw planError(`${placeOf(issue?.path ?? [])}: ${issue === undefined ? 'not a plan' : sentenceOf(issue)}`);
  }
  const rows: PlanRow[] = parsed.data.map((row, at) => ({ ...row, row: row.row ?? String(at + 1) }) as PlanRow);
  requireDistinct(rows);
  return { rows, hash: `sha256:${createHash('sha256').update(canonicalJson(rows)).digest('hex')}` };
}

/** Throws where a gated run could not repeat the plan. */
export function requireRepeatable({ rows }: FaultPlan): void {
  for (const row of rows) {
    for (const { mode } of [row, ...row.also]) {
      const why = notRepeatable(mode);
      if (why !== undefined) throw planError(`row ${scenarioOfRow(row)} cannot be gated: ${why}`);
    }
  }
}

function requireDistinct(rows: readonly PlanRow[]): void {
  const seen = new Map<string, string>();
  for (const row of rows) {
    const id = scenarioOfRow(row);
    if (seen.has(id)) throw planError(`two rows are named ${id}`);
    seen.set(id, id);
    const { row: _, ...content } = row;
    const same = canonicalJson(content);
    const twin = seen.get(same);
    if (twin !== undefined) throw planError(`rows ${twin} and ${id} are the same`);
    seen.set(same, id);
    requireNoShadow(row, id);
  }
}

/** Two faults for one call: which of them would win? */
function requireNoShadow(row: PlanRow, id: string): void {
  const all = [row, ...row.also].map(({ tool, arguments: given, occurrence }) =>
    canonicalJson([tool, given ?? {}, occurrence]),
  );
  if (new Set(all).size < all.length) throw planError(`row ${id} holds two faults for the same call`);
}

/** Of several forms that all fail, the one that got furthest. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const [best] = issue.errors.flat().toSorted((a, b) => b.path.length - a.path.length);
  return best === undefined ? issue.message : `${[...best.path, sentenceOf(best)].join(': ')}`;
}

function placeOf(path: readonly PropertyKey[]): string {
  const [at, ...rest] = path;
  return typeof at === 'number' ? `row ${at + 1}${rest.length === 0 ? '' : `, ${rest.join('.')}`}` : 'plan';
}

function planError(message: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_SUITE', `fault plan, ${message}`);
}
