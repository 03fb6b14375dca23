import type { DocumentOf, Fault } from './fault.ts';
import { timedOut } from './timeout.ts';

export const timeoutButAppliedFault: Fault<DocumentOf<'timeout_but_applied'>> = {
  kind: 'timeout_but_applied',
  presents: 'error',
  catchableBy: 'client',
  summary: 'the call is carried out, and no answer comes',
  async inject(call, { seconds }) {
    await call.runHidden();
    return { failure: timedOut(call, seconds) };
  },
};
