/** What a message of OTLP/protobuf holds. The three kinds are alike down to their rows. */
export type ProtobufSignal = 'traces' | 'logs' | 'metrics';

/**
 * Tells the signal by the first row: a span begins with a trace id of 16 bytes and a span id of 8, a log record with a
 * time or a severity, a metric with its name. `traces` where nothing tells.
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
  if (row[0] !== 0x0a) return row.length === 0 ? 'traces' : 'logs';
  const isSpan = row[1] === 16 && row[18] === 0x12 && row[19] === 8;
  return isSpan || !hasMetricData(row) ? 'traces' : 'metrics';
}

/** Fields 5 (gauge), 7 (sum), 9, 10, 11 (histograms, summary) of `Metric`, where a span has texts, times and a message. */
function hasMetricData(row: Buffer): boolean {
  const tags = [...tagsOf(row)].map(({ tag }) => tag);
  return (
    tags.some((tag) => tag === 0x2a || tag === 0x3a || tag === 0x4a || tag === 0x52 || tag === 0x5a) &&
    !tags.includes(0x39)
  );
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
