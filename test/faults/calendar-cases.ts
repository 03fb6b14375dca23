import { calendarTask } from '../../src/faults/reference/calendar-task.ts';

/** Every kind of fault on a call of the calendar task to which it applies. */
export const calendarCases: readonly (readonly [tool: string, fault: unknown])[] = [
  ['create_event', 'error'],
  ['create_event', 'timeout'],
  ['create_event', 'timeout_but_applied'],
  ['create_event', 'http_503'],
  ['find_slots', 'http_503'],
  ['create_event', 'http_429'],
  ['find_slots', 'http_429'],
  ['find_slots', 'empty'],
  ['find_slots', { kind: 'malformed', field: 'slots.0.start' }],
  ['invite_people', { kind: 'partial', ok: 3, rejected: 2 }],
  ['list_events', 'stale_read'],
  ['find_slots', 'latency'],
];

/** Rows of a plan, in the order of the cases. */
export const calendarRows = (point: string, mode: string, only = calendarCases): object[] =>
  only.map(([tool, fault]) => ({ task: calendarTask.name, tool, fault, point, mode }));
