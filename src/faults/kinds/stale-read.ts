import type { DocumentOf, Fault } from './fault.ts';

export const staleReadFault: Fault<DocumentOf<'stale_read'>> = {
  kind: 'stale_read',
  presents: 'success',
  catchableBy: 'agent',
  summary: 'a read gives what it gave before the last committed write',
  async inject({ arguments: args, spec }) {
    const before = spec.before?.(args);
    return before === undefined ? { inapplicable: 'there was no write before this read' } : { returned: before };
  },
};
