import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assertKeptOut } from '../../../src/cli/redact/assert-kept-out.ts';
import { ShareableCopy } from '../../../src/cli/redact/shareable-copy.ts';
import { decodeOtlpJson } from '../../../src/trace/otlp-json.ts';
import type { Span } from '../../../src/trace/span.ts';
import type { CollectedTrace } from '../../../src/trace/trace-set.ts';
import { privacyRules } from '../../../src/verdict/privacy-rules.ts';
import { sharedCases, withoutSharedCases } from '../../shared-cases.ts';
import { type CaptureFiles, captureFiles } from '../../suite/generate/capture-files.ts';
import { tracesOf } from '../../suite/generate/judged.ts';
import { verdictsOf } from './verdicts-of.ts';

// Every capture in .ci/run; a sample of them elsewhere, which takes a few seconds.
const everyNth = process.env['OTEL_EVAL_ALL_CAPTURES'] === undefined ? 16 : 1;
const rules = privacyRules({ mode: 'metadata', allow: [], canaries: [], secrets: [], forbid: {} });

function read(texts: readonly string[]): CollectedTrace[] {
  const batches = texts.filter(Boolean).map((text) => decodeOtlpJson(text));
  return tracesOf(
    batches.flatMap(({ spans }) => spans),
    batches.flatMap(({ logs }) => logs),
  );
}

function captured({ files }: CaptureFiles): CollectedTrace[] {
  return read(
    files.flatMap((file) => {
      const text = readFileSync(file, 'utf8').trim();
      return file.endsWith('.jsonl') ? text.split('\n') : [text];
    }),
  );
}

function copied(traces: readonly CollectedTrace[]): string {
  const copy = new ShareableCopy();
  copy.add(traces);
  copy.end();
  return copy.text();
}

/** What must not change: ids, structure, times, counts. */
function frame(span: Span): unknown {
  const { traceId, spanId, parentSpanId, kind, startUnixNano, endUnixNano, flags } = span;
  const events = span.events.map(({ timeUnixNano }) => timeUnixNano);
  const links = span.links.map((link) => [link.traceId, link.spanId]);
  return [traceId, spanId, parentSpanId, kind, startUnixNano, endUnixNano, flags, span.status.code, events, links];
}

const byId = (a: CollectedTrace, b: CollectedTrace) => (a.trace.traceId < b.trace.traceId ? -1 : 1);

const isFlip = (a: string, b: string) => a !== b && !a.endsWith('inconclusive') && !b.endsWith('inconclusive');

test.skipIf(sharedCases === undefined)(
  `a shareable copy of a capture holds no content, has the same frame, and turns no verdict round${sharedCases === undefined ? ` (${withoutSharedCases})` : ''}`,
  () => {
    const captures = captureFiles(join(sharedCases ?? '', 'captures')).filter((_, i) => i % everyNth === 0);
    const flips: string[] = [];
    let [same, undecided] = [0, 0];
    for (const capture of captures) {
      const sent = captured(capture);
      const text = copied(sent);
      assertKeptOut(text, rules);
      expect([capture.name, copied(sent) === text]).toEqual([capture.name, true]);
      const got = read(text.split('\n'));
      const frames = (traces: readonly CollectedTrace[]) =>
        [...traces].sort(byId).flatMap(({ trace }) => trace.spans.map(frame));
      expect([capture.name, frames(got)]).toEqual([capture.name, frames(sent)]);
      const before = verdictsOf(sent);
      const after = verdictsOf(got);
      expect([capture.name, after.length]).toEqual([capture.name, before.length]);
      before.forEach((verdict, i) => {
        if (isFlip(verdict, after[i] ?? '')) flips.push(`${capture.name}: ${verdict} became ${after[i]}`);
        if (verdict === after[i]) same += 1;
        else undecided += 1;
      });
    }
    console.log(
      `${captures.length} captures: ${same} verdicts are the same on the copy, ${undecided} can be decided on one side only`,
    );
    expect(flips).toEqual([]);
    // Stamps keep most of what the words told.
    expect(same).toBeGreaterThan(3 * undecided);
  },
);
