import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const graceMs = 500;
const pollMs = 20;

/**
 * Ends processes that carry the variable in their environment, though they left the group that they were started in (a
 * daemon, a detached child). Answers how many there were. Only Linux tells the environment of a process; elsewhere none
 * is found.
 */
export async function endMarkedProcesses(variable: string, value: string): Promise<number> {
  const found = markedProcesses(`${variable}=${value}`);
  if (found.length === 0) return 0;
  // One that is just ending is not left running.
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += pollMs) {
    await sleep(pollMs);
    if (markedProcesses(`${variable}=${value}`).length === 0) return 0;
  }
  const left = markedProcesses(`${variable}=${value}`);
  for (const pid of left) kill(pid);
  return left.length;
}

function markedProcesses(marker: string): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => environmentOf(pid).split('\0').includes(marker));
}

/** Empty where the process is another user's, a zombie, or gone. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
