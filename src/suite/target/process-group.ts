import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 10;

/** True while any process of the group is left. */
export function groupIsAlive(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and not ours any more.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Waits until the group is gone; false where it is still there after `graceMs`. */
export async function groupEnds(groupId: number, graceMs: number): Promise<boolean> {
  for (let waitedMs = 0; groupIsAlive(groupId); waitedMs += pollMs) {
    if (waitedMs >= graceMs) return false;
    await sleep(pollMs);
  }
  return true;
}

/** Asks the group to end, and ends it where it does not within `graceMs`. */
export async function endGroup(groupId: number, graceMs: number): Promise<void> {
  signalGroup(groupId, 'SIGTERM');
  if (await groupEnds(groupId, graceMs)) return;
  signalGroup(groupId, 'SIGKILL');
  await groupEnds(groupId, graceMs);
}

/** For the last moment of our own process: no waiting. */
export function killGroup(groupId: number): void {
  signalGroup(groupId, 'SIGKILL');
}

function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch {
    // Gone already.
  }
}
