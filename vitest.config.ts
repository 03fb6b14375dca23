import { defineConfig } from 'vitest/config';

/** Rooms whose tests change nothing that outlives them, so that one worker may go on with the modules it has loaded. */
const shared = ['agent', 'assertions', 'cli', 'collectors', 'report', 'statistics', 'suite', 'trace', 'verdict'];
/** Of those: what measures memory, sets variables of the process, or starts a browser. */
const alone = [
  'test/cli/doctor.test.ts',
  'test/cli/run/**/*.test.ts',
  'test/cli/view.test.ts',
  'test/collectors/memory*.test.ts',
  'test/report/html/html-in-chromium.test.ts',
];
const inShared = shared.map((room) => `test/${room}/**/*.test.ts`);

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
          name: 'alone',
          include: ['test/**/*.test.ts', 'fixtures/{readme,projections}/*.test.ts'],
          exclude: inShared,
        },
      },
      { extends: true, test: { name: 'shared', include: inShared, exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone too', include: alone } },
    ],
  },
});
