import type { FaultEvents } from './fault-events.ts';

/** Whether the end state was the wanted one; `null` where nobody checked. One check that fails is enough. */
export function endStateOf(events: FaultEvents): boolean | null {
  const told = (events.get('evidence.end_state') ?? []).map(({ attributes }) => attributes.get('success'));
  if (told.includes(false)) return false;
  return told.length > 0 && told.every((each) => each === true) ? true : null;
}
