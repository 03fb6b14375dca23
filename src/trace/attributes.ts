/**
 * A value as OTLP allows it. An integer is a `number` where that is exact, else a `bigint`; a double is a `number`
 * (`NaN` also for the `null` that JavaScript exporters write for a non-finite one). Bytes are `Uint8Array`, a key-value
 * list is a `ReadonlyMap`, an empty value is `null`.
 */
export type AttributeValue =
  | string
  | boolean
  | number
  | bigint
  | Uint8Array
  | null
  | readonly AttributeValue[]
  | AttributeMap;

export interface AttributeMap extends ReadonlyMap<string, AttributeValue> {}

/** The attributes of a span, event, link, resource or scope. Of two equal keys the last one counts. */
export type Attributes = ReadonlyMap<string, AttributeValue>;
