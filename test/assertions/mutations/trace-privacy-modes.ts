import { tracePrivacyModes } from '../../../assertions/trace-privacy-modes.ts';
import type { SpanSketch } from '../../view-builder.ts';
import type { MutationTable } from './mutation.ts';

const scope = 'com.anthropic.sdk.tool-runner';
const canary = 'CANARY words that nobody else says';

function agent(attributes: Record<string, unknown> = {}): SpanSketch {
  return {
    id: '1',
    name: 'invoke_agent order-support',
    scope,
    end: 100,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'order-support', ...attributes },
  };
}

function chat(attributes: Record<string, unknown> = {}, more: Partial<SpanSketch> = {}): SpanSketch {
  return {
    id: '2',
    parent: '1',
    name: 'chat scripted-1',
    kind: 'client',
    scope,
    start: 10,
    end: 50,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'scripted-1', ...attributes },
    ...more,
  };
}

const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const completion = (said: unknown) => JSON.stringify({ response: { choices: [{ index: 0, message: said }] } });
/** Metadata and nothing else; hashes, sizes and marks of what was taken away are metadata too. */
export const cleanMetadata: readonly SpanSketch[] = [
  agent({ 'session.id': "[Scrubbed due to 'session']" }),
  chat({ 'gen_ai.prompt.hash': 'sha256:00ff', 'gen_ai.prompt.length': 46, 'gen_ai.usage.input_tokens': 9 }),
];
const stamped = { 'otel_eval.content.mode': 'content' };
const spoken = {
  'gen_ai.input.messages': message('user', canary),
  'gen_ai.output.messages': message('assistant', 'done'),
};
const content = [agent(stamped), chat(spoken)];

const answers = {
  traceId: 'a1'.repeat(16),
  authorised: { status: 200, traceIds: ['a1'.repeat(16)] },
  anonymous: { status: 401 },
};

export const privacyMutations: MutationTable = {
  assertion: tracePrivacyModes,
  mutations: [
    {
      what: 'metadata: the text of an exception',
      parameters: {},
      before: cleanMetadata,
      after: [
        agent(),
        chat({}, { events: [{ name: 'exception', attributes: { 'exception.message': 'bad text here' } }] }),
      ],
      findings: [{ code: 'payload', arguments: { place: 'event 1, attribute exception.message' }, spans: ['2'] }],
    },
    {
      what: 'metadata: a span name that quotes',
      parameters: {},
      before: cleanMetadata,
      after: [agent(), chat({}, { name: 'chat: please refund my order right now' })],
      findings: [{ code: 'payload', arguments: { place: 'span name' }, spans: ['2'] }],
    },
    {
      what: 'a credential in a header',
      parameters: {},
      before: cleanMetadata,
      after: [agent(), chat({ 'http.request.header.x-api-key': ['toy-key-1'] })],
      findings: [
        {
          code: 'credential',
          arguments: { place: 'attribute http.request.header.x-api-key', rule: 'secret-key' },
          spans: ['2'],
        },
      ],
    },
    {
      what: 'a canary under a key that is allowed, base64',
      parameters: { canaries: [canary], allow: ['app.*'] },
      before: cleanMetadata,
      after: [agent(), chat({ 'app.blob': Buffer.from(`x${canary}`).toString('base64') })],
      findings: [{ code: 'canary', arguments: { place: 'attribute app.blob', rule: '1' }, spans: ['2'] }],
    },
    {
      what: 'content: a mail address that a rule forbids',
      parameters: { mode: 'content', forbid: { mail: '[\\w.]+@[\\w.]+' } },
      before: content,
      after: [agent(stamped), chat({ ...spoken, 'input.value': 'mail me at a.b@example.test' })],
      findings: [{ code: 'forbidden', arguments: { place: 'attribute input.value', rule: 'mail' }, spans: ['2'] }],
    },
    {
      what: 'content: a part of raw reasoning',
      parameters: { mode: 'content' },
      before: content,
      after: [
        agent(stamped),
        chat({
          ...spoken,
          'gen_ai.output.messages': JSON.stringify([
            { role: 'assistant', parts: [{ type: 'reasoning', content: 'hm' }] },
          ]),
        }),
      ],
      findings: [{ code: 'reasoning', arguments: { place: 'attribute gen_ai.output.messages' }, spans: ['2'] }],
    },
    {
      what: 'content: raw reasoning of a message that has no role',
      parameters: { mode: 'content' },
      before: [agent(stamped), chat({ ...spoken, 'output.value': completion({ content: 'done' }) })],
      after: [
        agent(stamped),
        chat({ ...spoken, 'output.value': completion({ content: 'done', reasoning_content: 'hm' }) }),
      ],
      findings: [{ code: 'reasoning', arguments: { place: 'attribute output.value' }, spans: ['2'] }],
    },
    {
      what: 'content: more than the ceiling, counted in bytes',
      parameters: { mode: 'content', ceilingBytes: 200 },
      before: content,
      after: [agent(stamped), chat({ 'gen_ai.output.messages': '😀'.repeat(64) })],
      findings: [{ code: 'over-ceiling', arguments: { bytes: 256, ceiling: 200 }, spans: ['2'] }],
    },
    {
      what: 'content: the instrumentation says metadata mode',
      parameters: { mode: 'content' },
      before: content,
      after: [agent({ 'otel_eval.content.mode': 'metadata' }), chat(spoken)],
      findings: [{ code: 'content-without-opt-in', arguments: { mode: 'metadata' }, spans: ['1'] }],
    },
    {
      what: 'content: a canary that is nowhere',
      parameters: { mode: 'content', canaries: [canary] },
      before: content,
      after: [agent(stamped), chat({ 'gen_ai.input.messages': message('user', 'other words') })],
      findings: [{ code: 'canary-not-captured', arguments: { rule: '1' }, spans: [] }],
    },
    {
      what: 'content: unrelated words are no evidence of what was sent',
      parameters: { mode: 'content', recorded: { input: canary, output: 'done' } },
      before: content,
      after: [agent(stamped), chat({ ...spoken, 'gen_ai.output.messages': message('assistant', 'something else') })],
      findings: [{ code: 'content-not-recorded', arguments: { modelCalls: 1 }, spans: ['2'] }],
    },
    {
      what: 'access was proven to another trace',
      parameters: { access: answers },
      before: cleanMetadata,
      after: cleanMetadata.map((span) => ({ ...span, trace: 'b2' })),
      findings: [
        {
          code: 'access-not-controlled',
          arguments: { fault: 'the authorised request was answered without the captured trace' },
          spans: [],
        },
      ],
    },
    {
      what: 'the skeleton of the other mode has another kind',
      parameters: { skeleton: ['internal invoke_agent', '  client chat'] },
      before: cleanMetadata,
      after: [agent(), chat({}, { kind: 'internal' })],
      findings: [{ code: 'skeleton-differs', arguments: { line: 2, expectedLines: 2, observedLines: 2 }, spans: [] }],
    },
  ],
};

/** Access is evidence of its own: the trace is the same, the answers differ. */
export const accessCases: readonly (readonly [what: string, access: object, fault: string | undefined])[] = [
  ['proven', answers, undefined],
  ['proven by a redirect', { ...answers, anonymous: { status: 302 } }, undefined],
  ['proven by a page on which to sign in', { ...answers, anonymous: { status: 200, loginPage: true } }, undefined],
  [
    'another trace',
    { ...answers, authorised: { status: 200, traceIds: ['b'.repeat(32)] } },
    'the authorised request was answered without the captured trace',
  ],
  ['both refused', { ...answers, authorised: { status: 401 } }, 'the authorised request was refused as well'],
  ['both answered', { ...answers, anonymous: answers.authorised }, 'the anonymous request was answered'],
  ['not modified is no refusal', { ...answers, anonymous: { status: 304 } }, 'the anonymous request was answered'],
  [
    'refused by its status, and the trace is in the answer',
    { ...answers, anonymous: { ...answers.authorised, status: 401 } },
    'the anonymous request was answered',
  ],
];
