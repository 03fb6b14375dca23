import { readId } from '../../src/trace/otlp-id.ts';

/** The ends of the keys under which JSON holds a trace id, closing quote included. */
const jaegerKey = Buffer.from('traceID"', 'latin1');
const keys = [Buffer.from('traceId"', 'latin1'), Buffer.from('trace_id"', 'latin1'), jaegerKey];

/**
 * The trace ids that stand in JSON bytes, normalised, found without parsing them; `undefined` for one that cannot be
 * read. A link's count too: that a trace is held open a little longer does no harm.
 */
export function scanTraceIds(bytes: Buffer, found: (traceId: string | undefined) => void): void {
  for (const key of keys) {
    for (let at = bytes.indexOf(key); at !== -1; at = bytes.indexOf(key, at)) {
      at += key.length;
      const text = textAfterColon(bytes, at);
      if (text !== undefined) found(normalised(text, key === jaegerKey));
    }
  }
}

/** The text that follows `:`; `undefined` where something else follows, or a text too long to be an id. */
function textAfterColon(bytes: Buffer, from: number): string | undefined {
  let at = skipSpace(bytes, from);
  if (bytes[at] !== 0x3a) return undefined;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] !== 0x22) return undefined;
  const end = bytes.indexOf(0x22, at + 1);
  return end === -1 || end - at > 65 ? undefined : bytes.toString('latin1', at + 1, end);
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at += 1;
  return at;
}

/** As the readers of OTLP and of Jaeger's JSON give it. */
function normalised(text: string, isJaeger: boolean): string | undefined {
  const id = readId(text, 16);
  if (typeof id === 'string') return id === '' ? undefined : id;
  if (!isJaeger) return undefined;
  return /^[0-9a-fA-F]{1,32}$/.test(text) ? text.toLowerCase().padStart(32, '0') : text;
}
