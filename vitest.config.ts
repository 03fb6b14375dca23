import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'fixtures/{readme,projections}/*.test.ts'],
    // On two cores the default would be one worker.
    maxWorkers: '100%',
    // Far above what a test takes here: a loaded machine must not make one red.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
