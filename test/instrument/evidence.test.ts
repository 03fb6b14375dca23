import { createHash } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { humanInput } from '../../src/instrument/human-input.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { stageEvidence } from '../../src/instrument/stage-evidence.ts';
import { type Tracing, tracing } from './tracing.ts';

afterEach(() => trace.disable());

function installed(): Tracing {
  const here = tracing();
  trace.setGlobalTracerProvider(here.provider);
  return here;
}

const eventsOf = ({ spans }: Tracing) =>
  spans().flatMap(({ events }) => events.map((one) => [one.name, one.attributes]));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('attachments leave kind, source, MIME type and SHA-256, in order, and nothing of themselves', async () => {
  const here = installed();
  const image = Buffer.from('pixels of a receipt');
  const sound = new Uint8Array([1, 2, 3]);
  const input = [
    {
      role: 'user',
      parts: [
        { type: 'text', content: 'what does this say?' },
        { type: 'blob', modality: 'image', mime_type: 'image/png', content: image.toString('base64') },
        { type: 'uri', modality: 'document', mime_type: 'application/pdf', uri: 'https://files.test/private-name.pdf' },
      ],
    },
    {
      role: 'user',
      parts: [
        { type: 'file', modality: 'video', file_id: 'file-1' },
        { type: 'blob', modality: 'audio', content: sound },
      ],
    },
  ];
  expect(await modelCall({ model: 'm', provider: 'openai', input }, async () => 'said')).toBe('said');
  const name = 'otel_eval.evidence.attachment';
  expect(eventsOf(here)).toEqual([
    [name, { index: 0, kind: 'image', source_type: 'blob', mime_type: 'image/png', sha256: sha256(image) }],
    [name, { index: 1, kind: 'document', source_type: 'uri', mime_type: 'application/pdf' }],
    [name, { index: 2, kind: 'video', source_type: 'file' }],
    [name, { index: 3, kind: 'audio', source_type: 'blob', sha256: sha256(sound) }],
  ]);
  expect(here.spans()[0]?.attributes['otel_eval.attachments.count']).toBe(4);
  expect(JSON.stringify(eventsOf(here))).not.toMatch(/private-name|file-1|cGl4ZWxz/);
});

test('no attachment is told as none; a text as nothing; messages that throw fail no call', () => {
  const here = installed();
  const throwing = new Proxy({}, { get: () => expect.unreachable() });
  const inputs = [[{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }], 'hi', [throwing]];
  for (const input of inputs) modelCall({ model: 'm', provider: 'openai', input }, () => 1);
  const counts = here.spans().map(({ attributes }) => attributes['otel_eval.attachments.count']);
  expect(counts).toEqual([0, undefined, undefined]);
  expect(here.processor.counters.failed).toBe(0);
});

test('an approval leaves that it was asked and granted, and that its token was refused the second time', () => {
  const here = installed();
  const options = { kind: 'approval', toolName: 'issue_refund', callId: 'call-1', approvalId: 'token-1' } as const;
  humanInput(options, (decided) => decided('granted'));
  humanInput(options, (decided) => decided('replay_refused'));
  const bound = { 'gen_ai.tool.name': 'issue_refund', 'gen_ai.tool.call.id': 'call-1', approval_id: 'token-1' };
  const evidence = eventsOf(here).filter(([name]) => name === 'otel_eval.evidence.approval');
  expect(evidence.map(([, attributes]) => attributes)).toEqual([
    { stage: 'asked', ...bound },
    { stage: 'granted', ...bound },
    { stage: 'asked', ...bound },
    { stage: 'replay_refused', ...bound },
  ]);
});

test('a stage leaves its ids in metadata mode, and of an identity a digest by which one is told from another', () => {
  const here = installed();
  const ids = { toolName: 'issue_refund', callId: 'call-1', approvalId: 'token-1', procedureId: 'goodwill' };
  const span = here.tracer.startSpan('check');
  for (const identity of ['clerk-7', 'clerk-7', 'customer-4']) {
    stageEvidence('procedure.allowed', { ...ids, identity }, span);
  }
  span.end();
  const evidence = eventsOf(here).map(([name, attributes]) => [name, attributes] as const);
  const digests = evidence.map(([, attributes]) => (attributes as Record<string, string>)['identity_sha256']);
  expect(evidence[0]).toEqual([
    'otel_eval.evidence.procedure.allowed',
    {
      'gen_ai.tool.name': 'issue_refund',
      'gen_ai.tool.call.id': 'call-1',
      approval_id: 'token-1',
      procedure_id: 'goodwill',
      identity_sha256: digests[0],
    },
  ]);
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(digests.map((digest) => digests.indexOf(digest))).toEqual([0, 0, 2]);
  expect(JSON.stringify(evidence)).not.toMatch(/clerk|customer/);
});

test('a stage with a name that is none leaves nothing, and nothing is thrown without a span or with a hostile one', () => {
  const here = installed();
  const span = here.tracer.startSpan('check');
  for (const stage of ['', 'Effect Blocked', 'a..b', 'please refund me']) stageEvidence(stage, {}, span);
  stageEvidence('effect.blocked');
  stageEvidence('effect.blocked', {}, new Proxy({}, { get: () => expect.unreachable() }) as never);
  span.end();
  expect(eventsOf(here)).toEqual([]);
});
