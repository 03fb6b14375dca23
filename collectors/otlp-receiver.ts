import type { Collection, Collector, InputReading } from '../src/trace/trace-set.ts';
import { FileInput } from './file/file-input.ts';
import { FileReading } from './file/file-reading.ts';
import { StoredBytes } from './file/stored-bytes.ts';
import type { SourceNature } from './file/trace-groups.ts';
import { FollowedJournal } from './receiver/followed-journal.ts';
import { Intake, type Received } from './receiver/intake.ts';
import { Journal } from './receiver/journal.ts';
import { OtlpServer } from './receiver/otlp-server.ts';

export type { Received } from './receiver/intake.ts';

export interface OtlpReceiverOptions {
  /** Default `127.0.0.1`: nobody outside this machine. */
  readonly host?: string;
  /** Default 4318; 0 takes any free port. */
  readonly port?: number;
  /** JSON lines to append what is received to. Default: a temporary file, gone after `close`. */
  readonly out?: string;
  /** Of one body, packed or unpacked; a larger one is answered with 413. Default 64 MiB. */
  readonly largestBodyBytes?: number;
  /** A request that is not whole after so long is cut off. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** While the receiver listens, traces count as quiet when nothing came for so long. Default 6 s. */
  readonly settleMs?: number;
}

export interface OtlpReceiver extends Collector {
  /** Where it listens, as `http://127.0.0.1:4318`: a value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  received(): Received;
  /**
   * A collector of what comes from now on. Each `collect` gives all of that, and reads only what came since the one
   * before it: for waiting on one trial of many. What it has given stays in memory as long as it is held.
   */
  follow(): Pick<Collector, 'collect'>;
  /** Listens no more, and lets requests that are under way end. What came can still be collected. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Receives OTLP/HTTP (JSON and protobuf, gzip): `/v1/traces` and `/v1/logs` are kept, `/v1/metrics` counted. What it
 * has acknowledged is on the disk. `collect` gives what has come so far; no more can come after `stop`.
 *
 * Throws `OTEL_EVAL_IO` where it cannot listen, or cannot write to `out`.
 *
 * @example
 * const receiver = await otlpReceiverCollector({ port: 0 });
 * spawn('node', ['agent.js'], { env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
 * …
 * await receiver.stop();
 * for await (const group of (await receiver.collect()).groups()) console.log(group.length);
 * await receiver.close();
 */
export async function otlpReceiverCollector(options: OtlpReceiverOptions = {}): Promise<OtlpReceiver> {
  const journal = await Journal.open(options.out);
  const intake = new Intake(journal);
  const server = await OtlpServer.listen(intake, {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 4318,
    largestBodyBytes: options.largestBodyBytes ?? 64 * 1024 * 1024,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
  }).catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  const { address: host, port, family } = server.address;
  const url = `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
  let stopped = false;
  const stop = async (): Promise<void> => {
    await server.close(Math.min(5_000, options.requestTimeoutMs ?? 5_000));
    stopped = true;
  };
  const isQuiet = (): boolean => performance.now() - (server.lastRequestMs ?? 0) >= (options.settleMs ?? 6_000);
  const nature = (): SourceNature => {
    const { rejected } = intake.received;
    return { remote: true, ended: stopped, quiet: stopped || isQuiet(), cut: rejected > 0 };
  };
  return {
    url,
    host,
    port,
    received: () => ({ ...intake.received }),
    stop,
    collect: async () => collectionOf(url, intake, await readingOf(journal, url, nature())),
    follow() {
      const journalFromNow = new FollowedJournal(journal, url);
      return { collect: () => collectionFrom(url, intake, { followed: journalFromNow, nature: nature() }) };
    },
    async close() {
      await stop();
      await journal.close();
    },
  };
}

/** What is in the journal now; `undefined` where nothing came. */
async function readingOf(journal: Journal, url: string, nature: SourceNature): Promise<FileReading | undefined> {
  const { start, end, handle } = journal;
  if (start === end) return undefined;
  const bytes = StoredBytes.ofOpenFile(handle, url, { from: start, to: end });
  const found = { label: url, path: undefined, named: true, byEnding: false, pipe: true };
  // A line may be longer than a body: JSON is longer than protobuf.
  const input = await FileInput.open(found, bytes, { document: 2 ** 29, unpacked: undefined });
  return new FileReading([input], 1 << 25, nature);
}

function collectionOf(url: string, intake: Intake, reading: FileReading | undefined): Collection {
  return {
    source: { kind: 'otlp', address: url },
    async *groups() {
      if (reading !== undefined) yield* reading.groups();
    },
    inputs: () => inputsOf(url, intake, { rows: intake.received.spans, spans: reading?.inputs()[0]?.spans ?? 0 }),
    looseLogs: () => reading?.looseLogs ?? [],
  };
}

async function collectionFrom(
  url: string,
  intake: Intake,
  { followed, nature }: { readonly followed: FollowedJournal; readonly nature: SourceNature },
): Promise<Collection> {
  await followed.readOn();
  const traces = [...followed.traces({ ...nature, losses: [] })];
  const { rows } = followed;
  const spans = traces.reduce((sum, { trace }) => sum + trace.spans.length, 0);
  return {
    source: { kind: 'otlp', address: url },
    async *groups() {
      for (const each of traces) yield [each];
    },
    inputs: () => inputsOf(url, intake, { rows, spans }),
    looseLogs: () => followed.looseLogs,
  };
}

function inputsOf(url: string, intake: Intake, { rows, spans }: Pick<InputReading, 'rows' | 'spans'>): InputReading[] {
  const problems = [...intake.problems];
  if (rows === 0) problems.push({ code: 'no-spans', message: `expected spans, got ${whatCame(intake)}`, at: '' });
  return [{ input: url, format: 'otlp-http', rows, spans, problems }];
}

function whatCame({ received: { logs, metrics, rejected }, refused }: Intake): string {
  const requests = refused.requests === 1 ? '1 request' : `${refused.requests} requests`;
  const parts = [
    logs > 0 ? `${logs} log records` : '',
    metrics > 0 ? `${metrics} requests with metrics` : '',
    rejected > 0 ? `${rejected} rows without readable ids` : '',
    refused.requests > 0 ? `${requests} that had to be refused (HTTP ${refused.status})` : '',
  ];
  return parts.filter(Boolean).join(', ') || 'no request';
}
