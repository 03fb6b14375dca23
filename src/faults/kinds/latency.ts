import type { DocumentOf, Fault } from './fault.ts';

export const latencyFault: Fault<DocumentOf<'latency'>> = {
  kind: 'latency',
  presents: 'success',
  catchableBy: 'client',
  summary: 'a good answer, late',
  async inject({ run, clock, signal }, { seconds }) {
    clock.wait(seconds * 1_000, { signal });
    return { returned: await run() };
  },
};
