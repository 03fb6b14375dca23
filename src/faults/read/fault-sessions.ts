import { ownAttributes } from '../../trace/own-attributes.ts';
import { type FaultEvent, type FaultEvents, wordIn } from './fault-events.ts';

/** The receipts and evidence of one fault session. */
export interface SessionEvents {
  readonly events: FaultEvents;
  /** How many sessions the events may be of; above 1 nothing of them can be told to belong together. */
  readonly sessions: number;
}

/** The row that was planned for a run, where a runner knows it. */
export interface WantedRow {
  readonly plan: string;
  readonly row: string;
}

/**
 * What one session left, where a run holds several: that of the row that was planned. What another session did, its ledger
 * and its end state are no evidence of this one.
 */
export function sessionEvents(all: FaultEvents, wanted?: WantedRow): SessionEvents {
  const writers = new Set([...all.values()].flat().map(sessionOf));
  writers.delete(null);
  const unnamed = Math.max(unnamedOf(all, 'fault.armed'), unnamedOf(all, 'evidence.snapshot', 'after'));
  const sessions = writers.size + unnamed;
  if (sessions <= 1) return { events: all, sessions };
  const armed = (all.get('fault.armed') ?? []).filter((event) => isOf(event, wanted)).map(sessionOf);
  const [own] = armed;
  if (armed.length !== 1 || own === undefined || own === null) return { events: all, sessions };
  return { events: ofSession(all, own), sessions: 1 };
}

/** Why several sessions decide nothing, as a clause. */
export function sessionsMixed(sessions: number): string {
  return `the run holds receipts and effects of ${sessions} fault sessions, which cannot be told apart; give each trial a run of its own, with one session`;
}

/** Canaries and evidence of stages are no session's. */
const ofSessions = /^(fault\.|evidence\.(call|delivery|snapshot|ending|end_state|constraint|harness|effect)$)/;

function ofSession(all: FaultEvents, own: string): FaultEvents {
  const kept = new Map<string, readonly FaultEvent[]>();
  for (const [name, events] of all) {
    const here = ofSessions.test(name) ? events.filter((event) => sessionOf(event) === own) : events;
    if (here.length > 0) kept.set(name, here);
  }
  return kept;
}

function isOf(event: FaultEvent, wanted: WantedRow | undefined): boolean {
  return wanted !== undefined && wordIn(event, 'plan') === wanted.plan && wordIn(event, 'row') === wanted.row;
}

function sessionOf(event: FaultEvent): string | null {
  return wordIn(event, ownAttributes.faultSession);
}

function unnamedOf(all: FaultEvents, name: string, stage?: string): number {
  const events = (all.get(name) ?? []).filter((event) => sessionOf(event) === null);
  return events.filter((event) => stage === undefined || wordIn(event, 'stage') === stage).length;
}
