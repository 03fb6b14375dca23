import type { FileHandle } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { type OtlpReceiver, otlpReceiverCollector } from '../../collectors/otlp-receiver.ts';
import { FollowedJournal } from '../../collectors/receiver/followed-journal.ts';
import { Journal } from '../../collectors/receiver/journal.ts';
import { sharedReceiverEvidence } from '../../src/suite/evidence/shared-receiver-evidence.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import type { CollectedTrace, Collector } from '../../src/trace/trace-set.ts';
import { provenTrace } from './collector-contract.ts';
import { line, logLine, traceIdOf } from './otlp-lines.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const facts = { remote: true, ended: false, quiet: true, cut: false, losses: [] };

/** A journal, and how many bytes were read of it. */
async function countedJournal() {
  const journal = await Journal.open(undefined);
  closing.push(() => journal.close());
  const count = { bytes: 0, reads: 0 };
  const handle = {
    async read(...args: Parameters<FileHandle['read']>) {
      const result = await journal.handle.read(...args);
      count.bytes += result.bytesRead;
      count.reads += 1;
      return result;
    },
  } as unknown as FileHandle;
  const counted = {
    get end() {
      return journal.end;
    },
    handle,
  };
  return { journal, counted, count };
}

test('what is followed is read once, however often it is asked for', async () => {
  const { journal, counted, count } = await countedJournal();
  await journal.append(line({ trace: 'a', span: 1, padding: 5_000 }));
  const start = journal.end;
  const followed = new FollowedJournal(counted, 'here');
  for (let span = 1; span <= 20; span += 1) {
    await journal.append(line({ trace: 'b', span, padding: 1_000 }, { trace: 'c', span, padding: 1_000 }));
    await followed.readOn();
    const { reads } = count;
    await followed.readOn();
    expect(count.reads).toBe(reads);
    expect([...followed.traces(facts)].map(({ trace }) => [trace.traceId, trace.spans.length])).toEqual([
      [traceIdOf('b'), span],
      [traceIdOf('c'), span],
    ]);
  }
  expect(count.bytes).toBe(journal.end - start);
  expect(followed.rows).toBe(40);
});

test('asked for twice at the same time, it is read once', async () => {
  const { journal, counted, count } = await countedJournal();
  const followed = new FollowedJournal(counted, 'here');
  await journal.append(line({ trace: 'b', span: 1 }));
  await Promise.all([followed.readOn(), followed.readOn(), followed.readOn()]);
  expect([count.bytes, followed.rows]).toEqual([journal.end, 1]);
});

test('log records go with their trace, loose ones stand apart', async () => {
  const { journal, counted } = await countedJournal();
  const followed = new FollowedJournal(counted, 'here');
  for (const each of [logLine('b', 1), logLine(''), logLine('d')]) await journal.append(each);
  await followed.readOn();
  expect([...followed.traces(facts)]).toEqual([]);
  await journal.append(line({ trace: 'b', span: 1 }));
  await followed.readOn();
  const traces = [...followed.traces(facts)].map(({ trace }) => [trace.traceId, trace.logs.length]);
  expect([traces, followed.looseLogs.length]).toEqual([[[traceIdOf('b'), 1]], 1]);
});

async function receiver(settleMs: number): Promise<OtlpReceiver> {
  const made = await otlpReceiverCollector({ port: 0, settleMs });
  closing.push(() => made.close());
  return made;
}

async function send({ url }: OtlpReceiver, body: string): Promise<void> {
  const answer = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
}

async function read(collector: Pick<Collector, 'collect'>) {
  const collection = await collector.collect();
  const traces: CollectedTrace[] = [];
  for await (const group of collection.groups()) traces.push(...group);
  const shown = traces.map(({ trace, completeness }) => `${trace.spans.length} ${completeness.state}`);
  return { shown, inputs: collection.inputs().map(({ input: _, ...reading }) => reading) };
}

test('a receiver that is followed tells what came since, as it tells what came at all', async () => {
  const subject = await receiver(0);
  await send(subject, encodeOtlpJson(provenTrace(1)));
  const followed = subject.follow();
  const nothing = { code: 'no-spans', message: 'expected spans, got no request', at: '' };
  expect(await read(followed)).toEqual({
    shown: [],
    inputs: [{ format: 'otlp-http', rows: 0, spans: 0, problems: [nothing] }],
  });
  const rows = provenTrace(2);
  await send(subject, encodeOtlpJson(rows.slice(0, 2)));
  expect((await read(followed)).shown).toEqual(['2 broken']);
  await send(subject, encodeOtlpJson(rows.slice(1)));
  expect(await read(followed)).toEqual({
    shown: ['3 proven'],
    inputs: [{ format: 'otlp-http', rows: 4, spans: 3, problems: [] }],
  });
  expect((await read(subject)).shown).toEqual(['3 proven', '3 proven']);
});

test('the evidence of a trial over a shared receiver: what came since the trial began, until it is proven', async () => {
  const subject = await receiver(60_000);
  const evidence = sharedReceiverEvidence(subject, { deadlineMs: 60_000 });
  await send(subject, encodeOtlpJson(provenTrace(1)));
  const rows = provenTrace(2);
  const channel = await evidence.open({ traceId: rows[0]?.traceId ?? '', runId: 'r', spanId: '0'.repeat(16) });
  await send(subject, encodeOtlpJson(rows.slice(0, 2)));
  const collecting = channel.collect(new AbortController().signal);
  await send(subject, encodeOtlpJson(provenTrace(3)));
  await send(subject, encodeOtlpJson(rows.slice(2)));
  const { traces, ownChannel } = await collecting;
  const own = traces.filter(({ trace }) => trace.traceId === rows[0]?.traceId);
  expect([own.map(({ completeness }) => completeness.state), traces.length, ownChannel]).toEqual([
    ['proven'],
    2,
    false,
  ]);
  await channel.close();
});

test('requests that had to be refused are named where no span came', async () => {
  const subject = await receiver(0);
  for (const [path, status] of [
    ['/v1/traces', 400],
    ['/v1/spans', 404],
  ] as const) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'garbage' };
    expect((await fetch(`${subject.url}${path}`, init)).status).toBe(status);
    const [reading] = (await read(subject)).inputs;
    const got = status === 400 ? '1 request that' : '2 requests that';
    const message = `expected spans, got ${got} had to be refused (HTTP ${status})`;
    expect(reading?.problems).toEqual([{ code: 'no-spans', message, at: '' }]);
  }
});
