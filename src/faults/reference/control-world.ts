import { canonicalJson } from '../../trace/canonical-json.ts';
import type { ToolSpec } from '../inject/tool-spec.ts';
import type { PlainTool } from '../inject/wrap-tools.ts';
import { EffectLedger } from '../ledger/effect-ledger.ts';
import { VersionedState } from '../ledger/versioned-state.ts';
import type { PlanRow } from '../plan/fault-plan.ts';
import type { RecoveryOptions } from '../read/recovery-options.ts';
import { AnswerFields } from './answer-fields.ts';
import type { PlannedCall, ReferenceStep, ReferenceWorld } from './reference-task.ts';

/** What a plan and the declarations beside it tell of a task. */
export interface ControlTaskGivens {
  /** Calls of an unfaulted run, in order. */
  readonly control: NonNullable<RecoveryOptions['control']>;
  /** What each tool does; one that nobody tells of counts as a write. */
  readonly effects: RecoveryOptions['effects'];
  readonly verify: readonly string[];
  readonly alternates: readonly string[];
  /** Of the plan: fields that a fault breaks must be in the answers. */
  readonly rows: readonly PlanRow[];
}

type Arguments = Readonly<Record<string, unknown>>;

/** The sandbox of a task that is made of declared calls. Reads tell how much has been changed; writes are kept by key. */
export class ControlWorld implements ReferenceWorld {
  readonly ledger: EffectLedger = new EffectLedger();
  readonly tools: ReferenceWorld['tools'];
  readonly specs: ReferenceWorld['specs'];
  readonly steps: readonly ReferenceStep[];
  readonly done: string = 'Done. All of it is completed.';
  readonly #changes = new VersionedState(0);
  readonly #standing = new Map<string, number>();
  readonly #calls: readonly PlannedCall[];
  readonly #givens: ControlTaskGivens;
  readonly #fields: AnswerFields;

  constructor(calls: readonly PlannedCall[], givens: ControlTaskGivens) {
    this.#calls = calls;
    this.#givens = givens;
    this.#fields = new AnswerFields(givens.rows);
    const names = [...new Set([...calls.map(({ tool }) => tool), ...givens.verify, ...givens.alternates])];
    this.tools = Object.fromEntries(names.map((name) => [name, this.#tool(name)]));
    this.specs = Object.fromEntries(names.map((name) => [name, this.#spec(name)]));
    this.steps = calls.map((call, at) => this.#step(call, at));
  }

  passes(): boolean {
    const wanted = new Set(this.#calls.flatMap((call) => this.#keysOf(call)));
    return (
      wanted.size === this.#standing.size && [...this.#standing].every(([key, count]) => wanted.has(key) && count === 1)
    );
  }

  #isWrite(tool: string): boolean {
    const { effects, verify } = this.#givens;
    return effects[tool] !== 'read' && !verify.includes(tool);
  }

  #tool(tool: string): PlainTool {
    if (!this.#isWrite(tool)) return () => this.#read(tool, this.#changes.current);
    return (args: Arguments) => {
      const keys = this.#keysOf({ tool, arguments: args });
      for (const key of keys) {
        this.ledger.commit(tool, key);
        this.#standing.set(key, (this.#standing.get(key) ?? 0) + 1);
      }
      this.#changes.write(this.#changes.current + keys.length);
      const items = listIn(args)?.[1];
      return this.#fields.in(tool, items === undefined ? { done: true } : { accepted: items, rejected: [] });
    };
  }

  #read(tool: string, changes: number): unknown {
    return this.#fields.in(tool, { items: [{ id: 'A-1' }, { id: 'A-2' }], changes });
  }

  #spec(tool: string): ToolSpec {
    if (!this.#isWrite(tool)) {
      const before = (): unknown => {
        const { before: changes } = this.#changes;
        return changes === undefined ? undefined : this.#read(tool, changes);
      };
      return { effect: 'read', before };
    }
    const items = this.#calls.flatMap((call) => (call.tool === tool ? (listIn(call.arguments)?.[0] ?? []) : []))[0];
    return { effect: 'write', ...(items === undefined ? {} : { items }) };
  }

  /** What a call changes, by business key: each item of a list is one. */
  #keysOf({ tool, arguments: args }: PlannedCall): string[] {
    if (!this.#isWrite(tool)) return [];
    const [name, items] = listIn(args) ?? [];
    if (name === undefined) return [canonicalJson([tool, args])];
    return (items ?? []).map((item) => canonicalJson([tool, { ...args, [name]: item }]));
  }

  #step(call: PlannedCall, at: number): ReferenceStep {
    const earlier = this.#calls.slice(0, at).reduce((sum, each) => sum + this.#keysOf(each).length, 0);
    const name = call.tool.replace(/[^A-Za-z0-9]+/g, ' ').trim();
    const common = {
      call: () => call,
      learn: () => {},
      assume: () => {},
      attempt: `carry out ${name}`,
      left: this.#left(call, at),
    };
    if (this.#isWrite(call.tool)) return { ...common, ...this.#writing(call, earlier) };
    const [other] = this.#givens.alternates;
    const again = { tool: other ?? call.tool, arguments: { ...call.arguments, again: true } };
    return {
      ...common,
      doubtful: (result) => canonicalJson(result) !== canonicalJson(this.#read(call.tool, earlier)),
      alternate: () => again,
    };
  }

  #writing(call: PlannedCall, earlier: number): Pick<ReferenceStep, 'doubtful' | 'verify' | 'alternate'> {
    const [tool] = this.#givens.verify;
    const items = listIn(call.arguments);
    const fine = this.#fields.in(
      call.tool,
      items === undefined ? { done: true } : { accepted: items[1], rejected: [] },
    );
    const look = tool === undefined ? undefined : { tool, arguments: { after: call.tool } };
    const rest = (result: unknown): PlannedCall => ({
      ...call,
      arguments: { ...call.arguments, [items?.[0] ?? '']: (result as { readonly rejected?: unknown }).rejected ?? [] },
    });
    const whole = earlier + this.#keysOf(call).length;
    return {
      doubtful: (result) => canonicalJson(result) !== canonicalJson(fine),
      ...(look === undefined
        ? {}
        : { verify: { call: () => look, shows: (result) => changesIn(result) >= whole }, alternate: () => look }),
      ...(items === undefined ? {} : { alternate: rest }),
    };
  }

  /** In the words of `controlMessages`: what stands although the agent stops here. */
  #left({ tool, arguments: args }: PlannedCall, at: number): string {
    if (this.#isWrite(tool) && listIn(args) !== undefined) return 'Some of it is still in place and the rest is not.';
    const before = this.#calls.slice(0, at).some((call) => this.#isWrite(call.tool));
    if (!before) return 'Nothing was changed.';
    const sure = 'What came before it is still in place.';
    // A read that shows something odd leaves open whether the writes before it are whole.
    return this.#isWrite(tool) ? sure : `${sure} It is unclear whether it is complete.`;
  }
}

/** The argument that holds a list of items. */
function listIn(args: Arguments): readonly [string, readonly unknown[]] | undefined {
  return Object.entries(args).find((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
}

function changesIn(result: unknown): number {
  const { changes } = (result ?? {}) as { readonly changes?: unknown };
  return typeof changes === 'number' ? changes : -1;
}
