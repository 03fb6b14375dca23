import { SpanKind } from '@opentelemetry/api';
import { present } from './content-text.ts';
import { inSpan } from './in-span.ts';

export interface HandoffOptions {
  /** The agent that hands over. */
  readonly from: string;
  /** The agent that takes over. */
  readonly to: string;
  /** Whether control comes back. Default `pass_control`. */
  readonly mode?: 'return_to_caller' | 'pass_control';
  /** The tool by which the model asked for it. Default `transfer_to_` and the receiver. */
  readonly tool?: string;
  readonly callId?: string;
}

/**
 * Passes control to another agent; what the receiver does runs inside.
 *
 * @example
 * await handoff({ from: 'triage', to: 'refunds' }, () => agentRun({ name: 'refunds' }, () => loop(message)));
 */
export function handoff<Result>(options: HandoffOptions, run: () => Result): Result {
  const tool = options.tool ?? `transfer_to_${options.to}`;
  const attributes = present({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': options.callId,
    'gen_ai.agent.name': options.from,
    'gen_ai.transfer.target.name': options.to,
    'gen_ai.transfer.mode': options.mode ?? 'pass_control',
  });
  return inSpan({ name: `execute_tool ${tool}`, kind: SpanKind.INTERNAL, attributes }, () => run());
}
