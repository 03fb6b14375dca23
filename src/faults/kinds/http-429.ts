import type { DocumentOf, Fault } from './fault.ts';

export const http429Fault: Fault<DocumentOf<'http_429'>> = {
  kind: 'http_429',
  presents: 'error',
  catchableBy: 'client',
  summary: 'too many requests, with the time to wait, and nothing is done',
  async inject(_, { retryAfterSeconds }) {
    const message = `429 Too Many Requests, retry after ${retryAfterSeconds} s`;
    return { failure: { type: 'RateLimitError', message, status: 429, retryAfterSeconds } };
  },
};
