import { randomUUID } from 'node:crypto';
import { type Attributes, type Context, context, trace } from '@opentelemetry/api';
import { present } from '../../instrument/content-text.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { FaultCall, FaultFailure, FaultResult } from '../kinds/fault.ts';
import { faultOfKind } from '../kinds/index.ts';
import { EffectLedger } from '../ledger/effect-ledger.ts';
import type { FaultDocument } from '../plan/fault-document.ts';
import type { FaultPlan, PlanRow } from '../plan/fault-plan.ts';
import { modeName } from '../plan/injection-mode.ts';
import { type Aim, Aimer } from './aim.ts';
import { carriedText, carriesFailure, Deliveries } from './deliveries.ts';
import { FaultError } from './fault-error.ts';
import { ReceiptEvents } from './receipt-events.ts';
import { type SessionEnd, writeEvidence } from './session-evidence.ts';
import type { ToolSpec } from './tool-spec.ts';
import { VirtualClock } from './virtual-clock.ts';
import { duringCall, type WireCall } from './wire-fault.ts';

export interface FaultSessionOptions {
  readonly plan: Pick<FaultPlan, 'hash'>;
  readonly row: PlanRow;
  /** Of each tool, by name. */
  readonly tools?: Readonly<Record<string, ToolSpec>> | undefined;
  /** Kept by the sandbox. Default: an empty one. */
  readonly ledger?: EffectLedger | undefined;
  readonly clock?: VirtualClock | undefined;
  /** What a failing tool throws in production, so that the model reads what it would read there. */
  readonly mapFailure?: ((failure: FaultFailure, tool: string) => unknown) | undefined;
  /** Milliseconds since the epoch; for modes that count wall-clock seconds. */
  readonly now?: (() => number) | undefined;
}

/** A call of a tool as an adapter hands it over. */
export interface AdaptedCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** The model's id of its request. A second call with the same id is a try of the client, not of the model. */
  readonly callId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly run: (args: unknown) => unknown;
}

type Outcome = { readonly error: unknown } | { readonly result: unknown };

/**
 * Plants the faults of one row into one trial, and writes receipts of it into the trace. Make one for each trial.
 *
 * @example
 * const session = new FaultSession({ plan, row, ledger });
 * const answer = await agent.run(prompt, wrapTools(session, tools));
 * await session.close({ endStatePasses: ledger.standing(key) === 1 });
 */
export class FaultSession {
  readonly row: PlanRow;
  readonly clock: VirtualClock;
  readonly ledger: EffectLedger;
  readonly #options: FaultSessionOptions;
  readonly #aimers: readonly Aimer[];
  readonly #events = new ReceiptEvents(randomUUID());
  readonly #deliveries = new Deliveries();
  readonly #callIds = new Set<string>();
  readonly #opened: Context;
  readonly #ledgerAtStart: number;
  #firstCall: Context | undefined;
  #calls = 0;

  constructor(options: FaultSessionOptions) {
    const { row, clock = new VirtualClock(), ledger = new EffectLedger(), now = Date.now } = options;
    this.#options = options;
    this.row = row;
    this.clock = clock;
    this.ledger = ledger;
    this.#opened = context.active();
    this.#ledgerAtStart = ledger.entries.length;
    const clocks = { virtualMs: () => clock.nowMs, wallMs: now };
    this.#aimers = [row, ...row.also].map((injection) => new Aimer(injection, clocks));
    this.#receipt('armed', row.fault);
  }

  /** One call of a tool, above the client. Adapters call this; the result or error is what the model is to see. */
  async call(call: AdaptedCall): Promise<unknown> {
    this.#firstCall ??= context.active();
    const isNew = call.callId === undefined || !this.#callIds.has(call.callId);
    if (call.callId !== undefined) this.#callIds.add(call.callId);
    if (isNew) this.#calls += 1;
    this.ledger.calls = this.#calls;
    const aims = this.#aimers.flatMap((aimer) => aimer.aimAt(call.tool, call.arguments, isNew) ?? []);
    this.#events.write(`${ownAttributes.evidencePrefix}call`, this.#ofCall(call, { kind: isNew ? 'model' : 'client' }));
    if (this.row.point === 'below_client') return this.#overWire(call, aims);
    const fault = firstFault(aims);
    return fault === undefined ? call.run(call.arguments) : this.#aboveClient(call, fault);
  }

  /** What the model is sent: give each request, so that receipts can tell whether the fault reached it. */
  sawModelRequest(request: unknown): void {
    this.#firstCall ??= context.active();
    this.#deliveries.saw(request);
  }

  /** Ends the trial: drains, takes the last snapshot and writes the evidence. */
  async close(end: SessionEnd = {}): Promise<void> {
    const active = context.active();
    const parent = [active, this.#firstCall, this.#opened].find((each) => each !== undefined && trace.getSpan(each));
    await writeEvidence(end, {
      parent: parent ?? active,
      events: this.#events,
      ledger: this.ledger,
      ledgerAtStart: this.#ledgerAtStart,
      watched: this.#deliveries.watched,
    });
  }

  async #aboveClient(call: AdaptedCall, fault: FaultDocument): Promise<unknown> {
    this.#receipt('matched', fault, call);
    const calls = this.#calls;
    let carriedOut: { readonly answer: unknown } | undefined;
    const result = await this.#inject(call, fault, {
      arguments: call.arguments,
      signal: call.signal,
      run: async (args) => {
        carriedOut = { answer: await call.run(args ?? call.arguments) };
        return carriedOut.answer;
      },
    });
    // Carried out already, it is not carried out again.
    if ('inapplicable' in result) return carriedOut === undefined ? call.run(call.arguments) : carriedOut.answer;
    this.#receipt('applied', fault, call, calls);
    if ('returned' in result) {
      this.#expect(call, fault, { result: result.returned });
      return result.returned;
    }
    const error = this.#options.mapFailure?.(result.failure, call.tool) ?? new FaultError(result.failure);
    this.#expect(call, fault, { error });
    throw error;
  }

  async #overWire(call: AdaptedCall, aims: readonly Aim[]): Promise<unknown> {
    const calls = this.#calls;
    const wire = this.#wireCall(call, aims);
    if (aims.length > 0) this.#receipt('matched', this.row.fault, call);
    return duringCall(wire, async () => {
      try {
        const result = await call.run(call.arguments);
        this.#afterWire(call, calls, wire.end(), { result });
        return result;
      } catch (error) {
        this.#afterWire(call, calls, wire.end(), { error });
        throw error;
      }
    });
  }

  /** `end()` tells the last fault that a request met; what a tool leaves running after it is let pass. */
  #wireCall(call: AdaptedCall, aims: readonly Aim[]): WireCall & { end(): FaultDocument | undefined } {
    const endpoint = this.#options.tools?.[call.tool]?.endpoint ?? '';
    let applied: FaultDocument | undefined;
    let ended = false;
    return {
      next: (url) => {
        const fault = ended || !url.startsWith(endpoint) ? undefined : firstFault(aims);
        if (fault === undefined) return undefined;
        return async (given) => {
          const result = await this.#inject(call, fault, given);
          if (!('inapplicable' in result)) applied = fault;
          return result;
        };
      },
      end() {
        ended = true;
        return applied;
      },
    };
  }

  #afterWire(call: AdaptedCall, calls: number, applied: FaultDocument | undefined, outcome: Outcome): void {
    if (applied === undefined) return;
    this.#receipt('applied', applied, call, calls);
    const looksGood = faultOfKind(applied.kind).presents === 'success';
    if (looksGood || carriesFailure(outcome)) this.#expect(call, applied, outcome);
  }

  async #inject(
    { tool }: AdaptedCall,
    fault: FaultDocument,
    given: Pick<FaultCall, 'arguments' | 'signal' | 'run'>,
  ): Promise<FaultResult> {
    const { ledger, clock } = this;
    const spec = this.#options.tools?.[tool] ?? {};
    const runHidden = (): Promise<unknown> => ledger.hiding(() => given.run());
    return faultOfKind(fault.kind).inject({ ...given, tool, spec, clock, runHidden }, fault);
  }

  #expect(call: AdaptedCall, fault: FaultDocument, outcome: Outcome): void {
    this.#deliveries.expect({
      callId: call.callId,
      text: carriedText(outcome),
      delivered: () => this.#receipt('delivered', fault, call),
    });
  }

  #receipt(
    stage: 'armed' | 'matched' | 'applied' | 'delivered',
    fault: FaultDocument,
    call?: AdaptedCall,
    calls = this.#calls,
  ): void {
    const { row, point, mode } = this.row;
    const wait = fault.kind === 'http_429' ? fault.retryAfterSeconds * 1_000 : undefined;
    this.#events.write(`${ownAttributes.faultPrefix}${stage}`, {
      plan: this.#options.plan.hash,
      row,
      kind: fault.kind,
      point,
      mode: modeName(mode),
      ...this.#ofCall(call, { retry_after_ms: wait, calls }),
    });
  }

  #ofCall(call: AdaptedCall | undefined, more: Readonly<Record<string, string | number | undefined>>): Attributes {
    return present({
      virtual_time_ms: this.clock.nowMs,
      calls: this.#calls,
      'gen_ai.tool.name': call?.tool,
      'gen_ai.tool.call.id': call?.callId,
      ...more,
    });
  }
}

function firstFault(aims: readonly Aim[]): FaultDocument | undefined {
  for (const aim of aims) {
    const fault = aim.next();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
