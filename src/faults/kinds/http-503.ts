import type { DocumentOf, Fault } from './fault.ts';

export const http503Fault: Fault<DocumentOf<'http_503'>> = {
  kind: 'http_503',
  presents: 'error',
  catchableBy: 'client',
  summary: 'service unavailable, and nothing is done',
  async inject() {
    const message = '503 Service Unavailable';
    return { failure: { type: 'ServiceUnavailableError', message, status: 503, retryAfterSeconds: null } };
  },
};
