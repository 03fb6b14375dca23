import { expect, test } from 'vitest';
import { tracePrivacyModes } from '../../assertions/trace-privacy-modes.ts';
import { canaries } from '../../fixtures/captures/story/stories.mjs';
import { recordedCaptures, tracesOf } from './capture.ts';
import { codesOf, judgeCapture } from './judge-capture.ts';

// Python has no processor of ours: these frameworks wrote what they call a trace without content.
const told = recordedCaptures()
  .filter(({ framework, mode }) => framework.startsWith('python-') && mode === 'metadata')
  .map((capture) => {
    const parameters = { mode: 'metadata', canaries: Object.values(canaries) };
    const codes = codesOf(judgeCapture(tracePrivacyModes, parameters, tracesOf(capture)));
    return { ...capture, codes: [...new Set(codes)].map((code) => code.split('/')[1]).sort() };
  });

test('OpenInference, everything hidden: the text of exceptions leaves all the same', () => {
  const leaking = told.filter(({ framework, codes }) => framework === 'python-langgraph' && codes.includes('canary'));
  expect(leaking.map(({ story }) => story)).toEqual(['parallel', 'retried', 'timed-out']);
});

test('pydantic-ai without content: no word of the run leaves', () => {
  const codes = told.filter(({ framework }) => framework === 'python-pydantic-ai').flatMap((one) => one.codes);
  expect(codes).not.toContain('canary');
});
