import type { DocumentOf, Fault, FaultCall, FaultFailure } from './fault.ts';

export const timeoutFault: Fault<DocumentOf<'timeout'>> = {
  kind: 'timeout',
  presents: 'error',
  catchableBy: 'client',
  summary: 'no answer in time, and nothing is done',
  async inject(call, { seconds }) {
    return { failure: timedOut(call, seconds) };
  },
};

/** Waits as long as the fault lasts or the client's own deadline allows, and says how long that was. */
export function timedOut({ clock, signal, spec }: FaultCall, seconds: number): FaultFailure {
  const before = clock.nowMs;
  clock.wait(seconds * 1_000, { signal, deadlineMs: spec.deadlineMs });
  const waited = (clock.nowMs - before) / 1_000;
  return { type: 'TimeoutError', message: `no answer after ${waited} s`, status: null, retryAfterSeconds: null };
}
