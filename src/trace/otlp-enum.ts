import type { SpanKind, StatusCode } from './span.ts';

/** Names of an enumeration of OTLP; their positions are its numbers. */
export interface EnumNames<Name extends string> {
  /** As `kind`. */
  readonly what: string;
  /** Of the names in text, as `SPAN_KIND_`. */
  readonly prefix: string;
  readonly byNumber: readonly Name[];
}

export const spanKinds: EnumNames<SpanKind> = {
  what: 'kind',
  prefix: 'SPAN_KIND_',
  byNumber: ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'],
};

export const statusCodes: EnumNames<StatusCode> = {
  what: 'status',
  prefix: 'STATUS_CODE_',
  byNumber: ['unset', 'ok', 'error'],
};
