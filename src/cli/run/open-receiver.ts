import type { SharedReceiver } from '../../suite/evidence/shared-receiver-evidence.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

/**
 * A receiver on a free port of this machine, or where the user says (`HOST:PORT`, or a port). `settleMs`: how long no span
 * may come before traces without receipts count as quiet.
 */
export async function openReceiver(listen: string | undefined, settleMs: number | undefined): Promise<SharedReceiver> {
  const { otlpReceiverCollector } = await import('../../../collectors/otlp-receiver.ts');
  const settle = settleMs === undefined ? {} : { settleMs };
  if (listen === undefined) return otlpReceiverCollector({ port: 0, ...settle });
  const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d{1,5})$/.exec(listen) ?? [];
  if (port === undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected --listen HOST:PORT, got ${listen.slice(0, 80)}`);
  }
  return otlpReceiverCollector({ host, port: Number(port), ...settle });
}
