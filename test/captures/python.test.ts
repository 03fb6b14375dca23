import { describe, expect, test } from 'vitest';
import { installedPython, playPython } from '../../fixtures/captures/python-environment.mjs';
import { recordStories } from '../../fixtures/captures/recording.mjs';
import { type Truth, viewOfCapture } from './capture.ts';
import { compareRun } from './compare.ts';

const python = installedPython();
const why = python === undefined ? ' (skipped: node fixtures/captures/record.mjs has not installed them)' : '';

describe.skipIf(python === undefined)(`frameworks of Python, played anew${why}`, () => {
  test.each(['python-langgraph', 'python-pydantic-ai'])('%s is read to the truth', async (framework) => {
    const command = playPython(python ?? '');
    const stories = ['timed-out', 'parallel'];
    const recorded = await recordStories({ framework, mode: 'content', stories, command });
    expect(recorded.map(({ story }) => story)).toEqual(stories);
    for (const { truth, bodies } of recorded) {
      const [run, ...others] = viewOfCapture({ bodies }).runs;
      expect(others).toEqual([]);
      expect(run && compareRun(run, truth as Truth)).toEqual({ wrong: [], unknown: [] });
    }
  });
});
