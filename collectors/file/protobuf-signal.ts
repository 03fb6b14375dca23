/** What a message of OTLP/protobuf holds. The three kinds are alike down to their rows. */
export type ProtobufSignal = 'traces' | 'logs' | 'metrics';

/**
 * Tells the signal by the fields of the first row; `traces` where nothing tells. Writers put fields in any order.
 */
export function protobufSignal(message: Buffer): ProtobufSignal {
  for (const group of fieldsOf(message, 1)) {
    for (const scoped of fieldsOf(group, 2)) {
      for (const row of fieldsOf(scoped, 2)) return signalOfRow(row);
    }
  }
  return 'traces';
}

function signalOfRow(row: Buffer): ProtobufSignal {
  const lengths = new Map([...tagsOf(row)].map(({ tag, content }) => [tag, content.length]));
  const has = (...tags: readonly number[]): boolean => tags.some((tag) => lengths.has(tag));
  // A trace id of 16 bytes and a span id of 8.
  if (lengths.get(0x0a) === 16 && lengths.get(0x12) === 8) return 'traces';
  // Time, time of observation, severity: other types than a span and a metric have under these numbers.
  if (has(0x09, 0x59, 0x10)) return 'logs';
  // Start, end and kind of a span.
  if (has(0x39, 0x41, 0x30)) return 'traces';
  // A name, and a gauge, sum, histogram or summary.
  return has(0x0a) && has(0x2a, 0x3a, 0x4a, 0x52, 0x5a) ? 'metrics' : 'traces';
}

/** The contents of one length-delimited field, each time it occurs; nothing more once the bytes make no sense. */
function* fieldsOf(message: Buffer, field: number): Generator<Buffer, void, undefined> {
  for (const { tag, content } of tagsOf(message)) if (tag === ((field << 3) | 2)) yield content;
}

function* tagsOf(message: Buffer): Generator<{ tag: number; content: Buffer }, void, undefined> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; at < message.length; scale *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag & 7;
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : -1;
    if (wire === 0) varint();
    else if (length < 0 || at + length > message.length) return;
    const start = at;
    at += Math.max(0, length);
    yield { tag, content: message.subarray(start, at) };
  }
}
