import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readRuns } from '../../src/agent/run-reader.ts';
import { viewOf } from '../../src/agent/view.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { canonicalJson } from '../../src/trace/canonical-json.ts';
import type { SourceFacts } from '../../src/trace/completeness.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';

export const capturesFolder: string = resolve(import.meta.dirname, '../../fixtures/captures');

/** What the ledger of a capture program says. */
export interface Truth {
  readonly framework: string;
  readonly story: string;
  readonly modelCalls: readonly { readonly model: string; readonly usage: Usage }[];
  readonly toolCalls: readonly {
    readonly name: string;
    readonly arguments: unknown;
    readonly callId: string;
    readonly attempt: number;
    readonly parallelGroup: number | null;
    readonly outcome: 'succeeded' | 'threw' | 'soft-error';
  }[];
  readonly effects: readonly string[];
  readonly usage: Usage;
  /** Channels whose canary the run really held. */
  readonly canaries: readonly string[];
}

export interface Usage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
}

export interface Capture {
  readonly framework: string;
  readonly story: string;
  readonly mode: string;
  readonly truth: Truth;
  /** Bodies of trace requests, in order of arrival. */
  readonly bodies: readonly (string | Uint8Array)[];
}

export const facts: SourceFacts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };

export function recordedCaptures(): readonly Capture[] {
  return readdirSync(capturesFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('recorded') && path.includes('.otlp.'))
    .sort()
    .map((path) => {
      const [story = '', mode = ''] = basename(path).split('.');
      const file = join(capturesFolder, path);
      const truth: Truth = JSON.parse(readFileSync(join(file, '..', `${story}.truth.json`), 'utf8'));
      const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file);
      const bodies = path.includes('.pb') ? [bytes] : bytes.toString().trim().split('\n');
      return { framework: truth.framework, story, mode, truth, bodies };
    });
}

export function tracesOf({ bodies }: Pick<Capture, 'bodies'>): readonly CollectedTrace[] {
  const batches = bodies.map((body) => (typeof body === 'string' ? decodeOtlpJson(body) : decodeOtlpProtobuf(body)));
  const traces = buildTraces(
    batches.flatMap(({ spans }) => spans),
    batches.flatMap(({ logs }) => logs),
  );
  return [...traces.values()].map((trace) => ({ trace, facts, completeness: completenessOf(trace, facts) }));
}

export const digest = (value: unknown): string =>
  `hmac-sha256:${createHmac('sha256', 'captures').update(canonicalJson(value)).digest('hex')}`;

/** The parts of `otel-eval/view/v1` that are compared. */
export interface View {
  readonly traces: readonly {
    readonly spans: number;
    readonly roots: readonly string[];
    readonly orphans: readonly unknown[];
    readonly completeness: { readonly state: string };
  }[];
  readonly runs: readonly {
    readonly agent: string | null;
    readonly boundary: string;
    readonly modelCalls: readonly { readonly calls: number | null; readonly usage: Partial<Usage> | null }[];
    readonly toolCalls: readonly {
      readonly name: string | null;
      readonly callId: string | null;
      readonly attempt: number | null;
      readonly parallelGroup: number | null;
      readonly outcome: string;
      readonly argumentsDigest: string | null;
    }[];
    readonly requestedNotRun: readonly unknown[];
    readonly usage: Usage & { readonly coverage: string };
  }[];
}

export function viewOfCapture(capture: Pick<Capture, 'bodies'>): View {
  const traces = tracesOf(capture);
  return JSON.parse(JSON.stringify(viewOf({ inputs: [], traces, runs: readRuns(traces), digest })));
}
