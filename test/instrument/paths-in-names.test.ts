import { type Attributes, SpanKind } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { tracing } from './tracing.ts';

const inMetadataMode = (name: string, attributes: Attributes = {}): string | undefined => {
  const { tracer, spans } = tracing();
  tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }).end();
  return spans()[0]?.name;
};

test.each<[string, Attributes, string]>([
  ['GET /users/:id', { 'http.route': '/users/:id' }, 'GET /users/:id'],
  ['GET /users/{id}', { 'url.template': '/users/{id}' }, 'GET /users/{id}'],
  ['GET /users/alice', { 'http.route': '/users/:id' }, 'GET'],
  ['GET /users/alice/orders/4711', {}, 'GET'],
  ['GET https://x.example/u/alice', {}, 'GET'],
  ['resources/read file:///home/alice/diary', {}, 'resources/read'],
  ['/users/alice', { 'gen_ai.operation.name': 'chat' }, 'chat'],
  ['/users/alice', {}, 'withheld'],
  ['POST', {}, 'POST'],
])('%s with %j leaves as %s', (name, attributes, expected) => {
  expect(inMetadataMode(name, attributes)).toBe(expected);
});

test('a path in the name of an event is cut too', () => {
  const { tracer, spans } = tracing();
  const span = tracer.startSpan('chat m-1');
  span.addEvent('GET /users/alice');
  span.end();
  expect(spans()[0]?.events.map(({ name }) => name)).toEqual(['GET']);
});
