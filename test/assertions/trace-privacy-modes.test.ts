import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tracePrivacyModes } from '../../assertions/trace-privacy-modes.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { viewOf } from '../view-builder.ts';
import { accessCases, cleanMetadata } from './mutations/trace-privacy-modes.ts';

const judge = (view: ReturnType<typeof viewOf>, parameters: object) =>
  tracePrivacyModes.evaluate(view, tracePrivacyModes.parameters.parse(parameters));

test.each(accessCases)('access: %s', (_what, access, fault) => {
  const verdict = judge(viewOf(cleanMetadata), { access });
  expect(verdict.findings.map(({ observed }) => observed)).toEqual(fault === undefined ? [] : [fault]);
  expect(verdict.status).toBe(fault === undefined ? 'passed' : 'failed');
});

test('a server that does not answer proves nothing', () => {
  const access = { traceId: 'a1'.repeat(16), authorised: { status: 0 }, anonymous: { status: 0 } };
  expect(judge(viewOf(cleanMetadata), { access })).toMatchObject({ status: 'inconclusive', findings: [] });
});

test('content mode without a stamp of ours is not shown to have been opted into', () => {
  const verdict = judge(viewOf(cleanMetadata), { mode: 'content' });
  expect(verdict.missing.map(({ kind }) => kind)).toEqual(['stamp']);
});

test('content from another process, which nothing stamps, is not shown to have been opted into', () => {
  const said = '[{"role":"user","parts":[{"type":"text","content":"Hello there."}]}]';
  const ours = { 'otel_eval.content.mode': 'content', 'otel_eval.segment': 'e1e1e1e1e1e1e1e1' };
  const spans = (segment: string | undefined) =>
    viewOf([
      { id: '1', name: 'invoke_agent a', end: 100, attributes: { 'gen_ai.operation.name': 'invoke_agent', ...ours } },
      {
        id: '2',
        parent: '1',
        name: 'chat m',
        service: 'other',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': said,
          ...(segment === undefined ? {} : { 'otel_eval.segment': segment }),
        },
      },
    ]);
  const kinds = (segment: string | undefined) => judge(spans(segment), { mode: 'content' }).missing;
  expect(kinds('e1e1e1e1e1e1e1e1')).toEqual([]);
  const message =
    '1 span with content came from where nothing says by which mode; otel-eval/instrument there stamps it';
  expect(kinds(undefined)).toEqual([{ kind: 'stamp', message }]);
  expect(kinds('e2e2e2e2e2e2e2e2')).toEqual([{ kind: 'stamp', message }]);
});

test.each([
  ['words in base64', { 'app.blob': btoa('my locker code is 4471') }, 'attribute app.blob'],
  ['words in hex', { 'app.blob': Buffer.from('my locker code is 4471').toString('hex') }, 'attribute app.blob'],
])('metadata mode: %s are content', (_, attributes, place) => {
  const { findings } = judge(viewOf([{ id: '1', name: 'GET /', attributes }]), {});
  expect(findings.map(({ arguments: args }) => args)).toEqual([{ place }]);
});

test('metadata mode: ids, hashes and tokens are none', () => {
  const attributes = {
    'app.id': '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d',
    'app.hash': 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
    'app.step': 'customer_support_agent_v2_with_tools',
  };
  expect(judge(viewOf([{ id: '1', name: 'GET /', attributes }]), {}).status).toBe('passed');
});

test('metadata mode: after "chat" stands one model, and no words', () => {
  const places = (name: string) => judge(viewOf([{ id: '1', name }]), {}).findings.length;
  expect(['chat gpt-5.2-mini', 'execute_tool Refund Desk', 'chat please refund me'].map(places)).toEqual([0, 0, 1]);
});

test('recorded content may be given as digests', () => {
  const view = viewOf(
    [
      {
        id: '1',
        name: 'invoke_agent a',
        end: 100,
        attributes: { 'gen_ai.operation.name': 'invoke_agent', 'otel_eval.content.mode': 'content' },
      },
      {
        id: '2',
        parent: '1',
        name: 'chat m',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"sent"}]}]',
          'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"got"}]}]',
        },
      },
    ],
    { digestKey: 'key' },
  );
  const digest = (text: string) => view.digest(text);
  expect(judge(view, { mode: 'content', recorded: { input: digest('sent'), output: digest('got') } }).findings).toEqual(
    [],
  );
  expect(judge(view, { mode: 'content', recorded: { input: digest('sent'), output: digest('gone') } }).status).toBe(
    'failed',
  );
});

test('a place without a key is allowed by its name, in full, and credentials not even there', () => {
  const statusOf = (message: string) => viewOf([{ id: '1', name: 'run', end: 100, status: 'error', message }]);
  const words = statusOf('my locker code is four four seven one');
  const codes = (view: ReturnType<typeof viewOf>, allow: readonly string[]) =>
    judge(view, { allow }).findings.map(({ code, arguments: { place } }) => [code, place]);
  const payload = [['trace-privacy-modes/payload', 'status message']];
  expect(codes(words, [])).toEqual(payload);
  expect(codes(words, ['status*'])).toEqual(payload);
  expect(codes(words, ['status message'])).toEqual([]);
  expect(codes(statusOf(`no access for ${['AKIA', 'Q7EXAMPLE4TEST9Z'].join('')}`), ['status message'])).toEqual([
    ['trace-privacy-modes/credential', 'status message'],
  ]);
});

/** From EXPECTED.md: file, parameters, the findings as code and place, by span. */
const shared: readonly [file: string, parameters: object, found: readonly string[]][] = [
  [
    'privacy-01-openllmetry-leak',
    {},
    ['01 payload attribute traceloop.entity.input', '02 payload attribute gen_ai.completion.0.content'],
  ],
  [
    'privacy-03-exception-quotes-arguments',
    {},
    [
      '02 payload status message',
      '02 payload event 1, attribute exception.message',
      '02 payload event 1, attribute exception.stacktrace',
    ],
  ],
  ...['metadata', 'content'].map((mode): [string, object, string[]] => [
    'privacy-05-credentials-in-metadata',
    { mode },
    [
      '01 credential attribute http.request.header.authorization',
      '01 credential attribute http.request.header.x-api-key',
      '01 credential attribute url.full',
      '01 credential attribute url.full',
      '02 credential attribute llm.invocation_parameters',
      '02 credential attribute app.request_context',
    ],
  ]),
  ['privacy-06-content-in-names', {}, ['01 payload span name', '01 payload name of event 1']],
  ['privacy-07-clean-metadata', {}, []],
  [
    'redact-01-third-party-span-unmasked',
    { mode: 'content', forbid: { mail: '[\\w.+-]+@[\\w-]+\\.\\w+' } },
    ['02 forbidden attribute input.value', '02 forbidden attribute llm.input_messages.0.message.content'],
  ],
  ['redact-03-string-cut-object-whole', { mode: 'content', ceilingBytes: 0 }, ['03 over-ceiling undefined']],
  [
    'redact-04-escaped-spelling',
    { mode: 'content', secrets: ['toy/secret/000000000008'] },
    ['01 credential attribute gen_ai.input.messages', '01 credential attribute gen_ai.output.messages'],
  ],
  [
    'bound-02-bytes-vs-characters',
    { mode: 'content', ceilingBytes: 64 },
    ['01 over-ceiling undefined', '02 over-ceiling undefined'],
  ],
];

describe.skipIf(sharedCases === undefined)(`shared inputs (${withoutSharedCases} otherwise)`, () => {
  test.each(shared)('%s %j', (file, parameters, expected) => {
    const text = readFileSync(join(sharedCases ?? '', 'inputs', `${file}.json`), 'utf8');
    const verdict = judge(viewOf(text, { runs: { oneRun: true } }), parameters);
    const found = verdict.findings.map(
      ({ code, arguments: args, spans }) => `${spans[0]?.spanId.slice(-2)} ${code.split('/')[1]} ${args['place']}`,
    );
    expect(found).toEqual(expected);
    expect(JSON.stringify(verdict)).not.toMatch(/toy-|pw-0|locker|example\.test|0000000000/);
    if (file === 'privacy-07-clean-metadata') expect(verdict.status).toBe('passed');
  });
});
