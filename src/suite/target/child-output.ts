import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { type Child, outputEnds } from './child-process.ts';

/** All that a command prints until it ends, as UTF-8. More than `maxBytes` is an error at once, and is not kept. */
export function wholeText(child: Child, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        discard(child);
        reject(tooMuch(child, maxBytes));
      }
    });
    child.exit.then(() => outputEnds(child)).then(() => resolve(Buffer.concat(chunks).toString('utf8')), reject);
  });
}

/** A function that gives the next line each time it is called; `undefined` when there are no more. */
export function lineReader(child: Child, maxBytes: number): () => Promise<string | undefined> {
  const splitter = lineSplitter();
  let over: Error | undefined;
  let ended = false;
  let wake: () => void = () => {};
  child.stdout.on('data', (chunk: Buffer) => {
    if (splitter.add(chunk) > maxBytes) {
      over = tooMuch(child, maxBytes);
      discard(child);
    }
    wake();
  });
  void child.exit
    .then(() => outputEnds(child))
    .then(() => {
      ended = true;
      wake();
    });
  return async () => {
    while (splitter.lines.length === 0 && !ended && over === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (over !== undefined) throw over;
    return splitter.take();
  };
}

interface LineSplitter {
  readonly lines: readonly string[];
  /** Answers with the bytes that are held. */
  add(chunk: Buffer): number;
  take(): string | undefined;
}

function lineSplitter(): LineSplitter {
  const lines: string[] = [];
  let pieces: Buffer[] = [];
  let held = 0;
  return {
    lines,
    add(chunk) {
      let rest = chunk;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        lines.push(Buffer.concat([...pieces, rest.subarray(0, end)]).toString('utf8'));
        pieces = [];
        rest = rest.subarray(end + 1);
      }
      pieces.push(rest);
      held += chunk.length;
      return held;
    },
    take() {
      const line = lines.shift();
      held -= line === undefined ? 0 : Buffer.byteLength(line) + 1;
      return line;
    },
  };
}

function tooMuch(child: Child, maxBytes: number): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_TOO_LARGE', `${child.name} printed more than ${maxBytes} bytes; it was stopped`);
}

/** What comes is thrown away until the command has ended: a full pipe would keep it from ending. */
function discard(child: Child): void {
  child.stdout.removeAllListeners('data');
  child.stdout.resume();
  void child.end();
}
