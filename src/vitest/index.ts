import { expect } from 'vitest';
import type { TraceMatchers } from '../testing/matcher-signatures.ts';
import { matchers } from '../testing/matchers.ts';

declare module 'vitest' {
  // The parameter must be declared as vitest declares it.
  interface Matchers<T> extends Omit<TraceMatchers<void>, 'toSatisfy'> {}
  interface Assertion<T> {
    /** Vitest's own matcher of this name takes a predicate, and still does. */
    toSatisfy: TraceMatchers<void>['toSatisfy'] & ((predicate: (value: never) => boolean, message?: string) => void);
  }
}

expect.extend(matchers);

export { collectTrace, type RecordedRun, recordTraces, type TraceRecorder } from '../testing/index.ts';
