/** What two real requests for one captured trace gave. Made by whoever can reach the server; judged here. */
export interface AccessEvidence {
  /** The trace that was asked for: 32 hex digits. */
  readonly traceId: string;
  readonly authorised: AccessAnswer;
  readonly anonymous: AccessAnswer;
}

export interface AccessAnswer {
  /** HTTP status; 0 where nothing answered. */
  readonly status: number;
  /** Trace ids in the answer. */
  readonly traceIds: readonly string[];
  /** The answer is a page on which to sign in. */
  readonly loginPage: boolean;
}

export type AccessFault = 'authorised-refused' | 'other-trace' | 'anonymous-allowed';

export const accessFaultSentences: Readonly<Record<AccessFault, string>> = {
  'authorised-refused': 'the authorised request was refused as well',
  'other-trace': 'the authorised request was answered without the captured trace',
  'anonymous-allowed': 'the anonymous request was answered',
};

/**
 * What is wrong with the access to a trace; empty where it is proven: with credentials the captured trace comes, without
 * them it is refused (401, 403, a redirect or a page on which to sign in). `undefined` where no server answered, so
 * that nothing is shown.
 */
export function accessFaults({ traceId, authorised, anonymous }: AccessEvidence): readonly AccessFault[] | undefined {
  if (isNoAnswer(authorised) || isNoAnswer(anonymous)) return undefined;
  const faults: AccessFault[] = [];
  const found = authorised.status === 200 && !authorised.loginPage;
  if (!found && authorised.status !== 404) faults.push('authorised-refused');
  else if (!found || !authorised.traceIds.includes(traceId)) faults.push('other-trace');
  // Whatever its status says: who got the trace was let in.
  if (!isRefused(anonymous) || anonymous.traceIds.includes(traceId)) faults.push('anonymous-allowed');
  return faults;
}

/** Nothing came, or a server that cannot answer now. */
function isNoAnswer({ status }: AccessAnswer): boolean {
  return status === 0 || status >= 500 || status === 408 || status === 429;
}

/** No redirect: the asker has it already. */
const notModified = 304;

function isRefused({ status, loginPage }: AccessAnswer): boolean {
  return status === 401 || status === 403 || (status >= 300 && status < 400 && status !== notModified) || loginPage;
}
