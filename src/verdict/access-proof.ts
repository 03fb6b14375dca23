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

/**
 * What is wrong with the access to a trace; empty where it is proven: with credentials the captured trace comes, without
 * them it is refused (401, 403, a redirect or a page on which to sign in). `undefined` where no server answered, so
 * that nothing is shown.
 */
export function accessFaults({ traceId, authorised, anonymous }: AccessEvidence): readonly AccessFault[] | undefined {
  if (authorised.status === 0 || anonymous.status === 0 || authorised.status >= 500 || anonymous.status >= 500) {
    return undefined;
  }
  const faults: AccessFault[] = [];
  if (authorised.status !== 200 || authorised.loginPage) faults.push('authorised-refused');
  else if (!authorised.traceIds.includes(traceId)) faults.push('other-trace');
  if (!isRefused(anonymous)) faults.push('anonymous-allowed');
  return faults;
}

function isRefused({ status, loginPage }: AccessAnswer): boolean {
  return status === 401 || status === 403 || (status >= 300 && status < 400) || loginPage;
}
