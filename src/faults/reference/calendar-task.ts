import { EffectLedger } from '../ledger/effect-ledger.ts';
import { VersionedState } from '../ledger/versioned-state.ts';
import type { ReferenceStep, ReferenceTask, ReferenceWorld } from './reference-task.ts';

interface Calendar {
  readonly events: readonly { readonly start: string; readonly people: readonly string[] }[];
}

const free = ['10:00', '14:00', '16:00'];
const people = ['Ana', 'Ben', 'Chi', 'Dana', 'Eli'];

/**
 * Books the first free slot, invites five people and looks at the list. Every tool of it can meet a fault: a read, a write
 * with an unknown outcome, a call that can be accepted in part, a read after a write.
 */
export const calendarTask: ReferenceTask = { name: 'books a slot', open: openCalendar };

function openCalendar(): ReferenceWorld {
  const ledger = new EffectLedger();
  const state = new VersionedState<Calendar>({ events: [] });
  const memory = { start: free[0] ?? '' };
  const eventsOf = ({ events }: Calendar): unknown => ({ events, total: events.length });
  const tools = {
    find_slots: () => ({ slots: free.map((start) => ({ start })) }),
    create_event({ start }: { readonly start: string }) {
      ledger.commit('create_event', { start });
      state.write({ events: [...state.current.events, { start, people: [] }] });
      return { created: start };
    },
    invite_people({ start, people: added }: { readonly start: string; readonly people: readonly string[] }) {
      for (const person of added) ledger.commit('invite_people', { start, person });
      const events = state.current.events.map((event, at) =>
        at === 0 ? { start, people: [...event.people, ...added] } : event,
      );
      state.write({ events });
      return { accepted: added, rejected: [] };
    },
    list_events: () => eventsOf(state.current),
    get_event: () => ({ event: state.current.events[0] ?? null }),
  };
  return {
    ledger,
    tools,
    specs: {
      find_slots: { effect: 'read' },
      create_event: { effect: 'write' },
      invite_people: { effect: 'write', items: 'people' },
      list_events: { effect: 'read', before: () => (state.before === undefined ? undefined : eventsOf(state.before)) },
      get_event: { effect: 'read' },
    },
    steps: [findSlot(memory), createEvent(memory), invite(memory), look()],
    passes() {
      const [event, ...others] = state.current.events;
      return (
        event !== undefined &&
        others.length === 0 &&
        people.every((person) => event.people.filter((each) => each === person).length === 1)
      );
    },
    done: 'Done. The event is booked and all five people are invited.',
  };
}

interface Memory {
  start: string;
}

function slotsIn(result: unknown): readonly { readonly start?: unknown }[] {
  const { slots } = (result ?? {}) as { readonly slots?: unknown };
  return Array.isArray(slots) ? slots : [];
}

function findSlot(memory: Memory): ReferenceStep {
  return {
    call: () => ({ tool: 'find_slots', arguments: { day: 'Tuesday' } }),
    learn(result) {
      const start = slotsIn(result)[0]?.start;
      memory.start = typeof start === 'string' ? start : '14:00';
    },
    doubtful: (result) => typeof slotsIn(result)[0]?.start !== 'string',
    alternate: () => ({ tool: 'find_slots', arguments: { day: 'Tuesday', calendar: 'all' } }),
    assume() {
      memory.start = '14:00';
    },
    attempt: 'find free slots',
    left: 'Nothing was booked.',
  };
}

function createEvent(memory: Memory): ReferenceStep {
  return {
    call: () => ({ tool: 'create_event', arguments: { start: memory.start } }),
    learn: () => {},
    doubtful: () => false,
    verify: {
      call: () => ({ tool: 'list_events', arguments: { day: 'Tuesday' } }),
      shows: (result) => eventsIn(result).length > 0,
    },
    assume: () => {},
    attempt: 'create the event',
    left: 'No event was created.',
  };
}

function invite(memory: Memory): ReferenceStep {
  return {
    call: () => ({ tool: 'invite_people', arguments: { start: memory.start, people } }),
    learn: () => {},
    doubtful: (result) => rejectedIn(result).length > 0,
    verify: {
      call: () => ({ tool: 'get_event', arguments: { start: memory.start } }),
      shows: (result) => invitedIn((result as { readonly event?: unknown } | null)?.event).length === people.length,
    },
    alternate: (result) => ({ tool: 'invite_people', arguments: { start: memory.start, people: rejectedIn(result) } }),
    assume: () => {},
    attempt: 'invite the people',
    left: 'The event is still in the calendar, some people are invited and others are not.',
  };
}

function look(): ReferenceStep {
  return {
    call: () => ({ tool: 'list_events', arguments: { day: 'Tuesday' } }),
    learn: () => {},
    doubtful: (result) => invitedIn(eventsIn(result)[0]).length !== people.length,
    alternate: () => ({ tool: 'get_event', arguments: { day: 'Tuesday' } }),
    assume: () => {},
    attempt: 'check the events',
    left: 'It is unclear whether the event is complete.',
  };
}

function eventsIn(result: unknown): readonly unknown[] {
  const { events } = (result ?? {}) as { readonly events?: unknown };
  return Array.isArray(events) ? events : [];
}

function invitedIn(event: unknown): readonly unknown[] {
  const { people: invited } = (event ?? {}) as { readonly people?: unknown };
  return Array.isArray(invited) ? invited : [];
}

function rejectedIn(result: unknown): readonly unknown[] {
  const { rejected } = (result ?? {}) as { readonly rejected?: unknown };
  return Array.isArray(rejected) ? rejected : [];
}
