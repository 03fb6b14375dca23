import { expect } from '@jest/globals';
import type { TraceMatchers } from '../testing/matcher-signatures.ts';
import { matchers } from '../testing/matchers.ts';

declare module 'expect' {
  // The parameters must be declared as Jest declares them.
  interface Matchers<R extends void | Promise<void>, T = unknown> extends TraceMatchers<R> {}
}

declare global {
  namespace jest {
    // For those who take the types of the globals from @types/jest.
    // biome-ignore lint/complexity/noBannedTypes: it must be declared as they declare it
    interface Matchers<R, T = {}> extends TraceMatchers<R> {}
  }
}

expect.extend(matchers);

export { collectTrace, type RecordedRun, recordTraces, type TraceRecorder } from '../testing/index.ts';
