/** The kinds of fault, as receipts and reports name them. */
export type FaultKind =
  | 'error'
  | 'timeout'
  | 'timeout_but_applied'
  | 'http_503'
  | 'http_429'
  | 'empty'
  | 'malformed'
  | 'partial'
  | 'stale_read'
  | 'latency';

export const faultKinds: readonly FaultKind[] = [
  'error',
  'timeout',
  'timeout_but_applied',
  'http_503',
  'http_429',
  'empty',
  'malformed',
  'partial',
  'stale_read',
  'latency',
];

/** Above the client: what the model calls is wrapped. Below it: the wire, under the app's own retry layer. */
export type InjectionPoint = 'above_client' | 'below_client';

/** How the agent meets a fault: as an error, or as an answer that looks like a good one. */
export type Presentation = 'error' | 'success';
