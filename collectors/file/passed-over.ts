import type { InputReading } from '../../src/trace/trace-set.ts';
import type { FoundInput } from './find-inputs.ts';
import { refusedAs } from './foreign-forms.ts';

/** Endings of files that a trace is expected in; packed ones too. */
const traceName = /\.(?:jsonl|ndjson|json|pb|binpb|protobuf|otlp|trace)(?:\.(?:gz|zst))?$/i;

/** Read, and seen to hold no spans of any kind: such files lie beside traces. */
const noSpans =
  /^(?:a report or view of otel-eval|a test report of |a promptfoo result|a package\.json|a chat transcript|an error answer|an empty JSON list|JSON without any key of a trace|JSON, but only|a JSON list of )/;

/** Bytes that may hold anything. */
const opaque = /^(?:binary data of another kind|text in UTF-16|packed with |a ZIP archive)/;

const empty = /^(?:empty|blank)/;

/**
 * What is told of a file that nobody named and that is no trace. `undefined` where passing it over would hide spans: it
 * has the name of a trace, or was asked for by its ending, and cannot be read as one.
 */
export function passedOver(found: FoundInput, error: unknown): InputReading | undefined {
  const what = refusedAs(error);
  if (what === undefined || found.named) return undefined;
  const told = (code: string): InputReading => {
    const problem = { code, message: `it is ${what}, no trace`, at: '' };
    return { input: found.label, format: 'not-a-trace', rows: 0, spans: 0, problems: [problem] };
  };
  if (empty.test(what)) return told('empty-input');
  if (opaque.test(what)) return undefined;
  const isMeant = found.byEnding || traceName.test(found.label);
  return isMeant && !noSpans.test(what) ? undefined : told('not-a-trace');
}
