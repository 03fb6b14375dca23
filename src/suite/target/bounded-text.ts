import { OtelEvalError } from '../../trace/otel-eval-error.ts';

/** The body of an answer as text. More than `maxBytes` is an error; the rest is not read. */
export async function boundedText(response: Response, maxBytes: number, label: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the body and frees the connection.
    if (bytes > maxBytes)
      throw new OtelEvalError('OTEL_EVAL_TOO_LARGE', `${label} answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
