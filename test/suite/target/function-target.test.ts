import { context, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionTarget } from '../../../src/suite/target/function-target.ts';
import { call, spanId, ticket, traceId } from './ticket.ts';

describe('a function as target', () => {
  test('the factory makes a fresh agent for each trial', async () => {
    let made = 0;
    const target = functionTarget(() => {
      made += 1;
      let turns = 0;
      return (input) => {
        turns += 1;
        return `${String(input)} ${turns}`;
      };
    });
    const first = await target.open(ticket());
    expect([await first.step(call('a')), await first.step(call('b'))]).toEqual(['a 1', 'b 2']);
    const second = await target.open(ticket());
    expect([await second.step(call('c')), made]).toEqual(['c 1', 2]);
  });

  test('what it throws is named by class, never quoted', async () => {
    const target = functionTarget(() => () => {
      throw new TypeError('the customer said: secret');
    });
    const session = await target.open(ticket());
    await expect(session.step(call('x'))).rejects.toThrow('the target threw TypeError');
    const strange = await functionTarget(() => () => Promise.reject('secret')).open(ticket());
    await expect(strange.step(call('x'))).rejects.toThrow('the target threw a string');
    await expect(
      functionTarget(() => {
        throw new Error('secret');
      }).open(ticket()),
    ).rejects.toThrow('the factory of the target threw Error');
  });

  test('something else than a function is refused', async () => {
    const wrong = functionTarget(() => ({}) as never);
    await expect(wrong.open(ticket())).rejects.toThrow(
      'expected the target to be a function or to have a step(), got neither',
    );
  });
});

describe('with an SDK', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  beforeAll(() => provider.register());
  afterAll(async () => {
    await provider.shutdown();
    context.disable();
    trace.disable();
  });

  test('spans of a step join the trace of the trial by themselves', async () => {
    const session = await functionTarget(() => async () => {
      await Promise.resolve();
      trace.getTracer('agent').startSpan('chat').end();
      return 'done';
    }).open(ticket());
    await session.step(call('x'));
    const [span] = exporter.getFinishedSpans();
    expect([span?.spanContext().traceId, span?.parentSpanContext?.spanId, span?.parentSpanContext?.isRemote]).toEqual([
      traceId,
      spanId,
      true,
    ]);
  });
});
