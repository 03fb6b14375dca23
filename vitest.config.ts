import { defineConfig } from 'vitest/config';

/** Rooms of pure functions: their tests change nothing, so that a worker may go on with the modules it has loaded. */
const pure = ['agent', 'assertions', 'statistics', 'trace', 'verdict'].map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    // On two cores the default would be one worker.
    maxWorkers: '100%',
    // Far above what a test takes here: a loaded machine must not make one red.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['test/**/*.test.ts', 'fixtures/{readme,projections}/*.test.ts'],
          exclude: pure,
        },
      },
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
    ],
  },
});
