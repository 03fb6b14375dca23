import type { AccessAnswer, AccessAnswers } from '../../../collectors/access/prove-access.ts';
import { type AccessFault, accessFaultSentences } from '../../verdict/access-proof.ts';

/** What both requests gave and what that means, for eyes. */
export function accessText({ traceId, authorised, anonymous }: AccessAnswers, faults: Faults): string {
  const lines = [
    `trace ${traceId}`,
    `  with credentials     ${shown(authorised, traceId)}`,
    `  without credentials  ${shown(anonymous, traceId)}`,
  ];
  return `${[...lines, ...conclusion(faults)].join('\n')}\n`;
}

/** The same for a program: `otel-eval/access/v1`. */
export function accessJson(access: AccessAnswers, faults: Faults): string {
  return `${JSON.stringify({ schema: 'otel-eval/access/v1', access, faults: faults ?? null }, null, 2)}\n`;
}

type Faults = readonly AccessFault[] | undefined;

function conclusion(faults: Faults): string[] {
  if (faults === undefined) return ['not shown: no server answered one of the requests'];
  if (faults.length === 0) return ['access is controlled'];
  return faults.map((fault) => `not controlled: ${accessFaultSentences[fault]}`);
}

function shown({ status, traceIds, loginPage }: AccessAnswer, traceId: string): string {
  if (status === 0) return 'no answer';
  if (loginPage) return `HTTP ${status}, a page on which to sign in`;
  if (traceIds.includes(traceId)) return `HTTP ${status}, the trace`;
  return traceIds.length === 0 ? `HTTP ${status}` : `HTTP ${status}, another trace`;
}
