import type { DocumentOf, Fault } from './fault.ts';

export const errorFault: Fault<DocumentOf<'error'>> = {
  kind: 'error',
  presents: 'error',
  catchableBy: 'client',
  summary: 'the tool fails with an error, and nothing is done',
  async inject(_, { type = 'ToolError', message = 'the tool failed' }) {
    return { failure: { type, message, status: 500, retryAfterSeconds: null } };
  },
};
