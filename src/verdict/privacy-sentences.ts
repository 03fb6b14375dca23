import type { FindingSentence } from './assertion.ts';
import { type FindingMaker, findingMaker } from './finding.ts';
import { counted } from './wording.ts';

type Where = { place: string };

/** An alias, since an interface has no index signature and so is no table. */
export type PrivacySentences = {
  readonly payload: FindingSentence<Where>;
  readonly credential: FindingSentence<Where & { rule: string }>;
  readonly canary: FindingSentence<Where & { rule: string }>;
  readonly forbidden: FindingSentence<Where & { rule: string }>;
  readonly reasoning: FindingSentence<Where>;
  readonly 'over-ceiling': FindingSentence<{ bytes: number; ceiling: number }>;
  readonly 'content-without-opt-in': FindingSentence<{ mode: string }>;
  readonly 'canary-not-captured': FindingSentence<{ rule: string }>;
  readonly 'content-not-recorded': FindingSentence<{ modelCalls: number }>;
  readonly 'skeleton-differs': FindingSentence<{ line: number; expectedLines: number; observedLines: number }>;
  readonly 'access-not-controlled': FindingSentence<{ fault: string }>;
};

/** What `TracePrivacyModes` says of each way in which a trace holds more, or less, than its mode promised. */
export const privacySentences: PrivacySentences = {
  payload: {
    expected: () => 'no content in metadata mode',
    observed: ({ place }) => `${place} holds content`,
  },
  credential: {
    expected: () => 'no credential in any mode',
    observed: ({ place, rule }) => `${place} holds one (${rule})`,
  },
  canary: {
    expected: ({ rule }) => `canary ${rule} nowhere in metadata mode`,
    observed: ({ place }) => `${place} holds it`,
  },
  forbidden: {
    expected: ({ rule }) => `nothing that matches "${rule}"`,
    observed: ({ place }) => `${place} matches`,
  },
  reasoning: {
    expected: () => 'no raw reasoning in any mode',
    observed: ({ place }) => `${place} holds some`,
  },
  'over-ceiling': {
    expected: ({ ceiling }) => `at most ${counted(ceiling, 'byte')} of content on a span`,
    observed: ({ bytes }) => counted(bytes, 'byte'),
  },
  'content-without-opt-in': {
    expected: () => 'content mode, opted into with option and environment',
    observed: ({ mode }) => `the instrumentation says ${mode} mode`,
  },
  'canary-not-captured': {
    expected: ({ rule }) => `canary ${rule} somewhere in content mode`,
    observed: () => 'it is nowhere, so its channel is not captured',
  },
  'content-not-recorded': {
    expected: () => 'one model call with the input, output and recall that were really sent and received',
    observed: ({ modelCalls }) => `none of ${counted(modelCalls, 'model call')} holds them`,
  },
  'skeleton-differs': {
    expected: ({ expectedLines }) => `the ${counted(expectedLines, 'span')} of the run in the other mode`,
    observed: ({ line, observedLines }) => `${counted(observedLines, 'span')}, and line ${line} differs`,
  },
  'access-not-controlled': {
    expected: () => 'the trace with credentials, a refusal without them',
    observed: ({ fault }) => fault,
  },
};
export const privacyFinding: FindingMaker<PrivacySentences> = findingMaker('TracePrivacyModes', privacySentences);
