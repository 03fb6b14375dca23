import type { Json, ToolCall } from '../../agent/run.ts';
import { isErrorType } from '../economics/error-type.ts';

/** The code that a failed call carries: `error.type`, else one in its result that looks like a code; never a message. */
export function errorCodeOf(call: ToolCall): string | undefined {
  const types = call.spans.map(({ attributes }) => attributes.get('error.type'));
  return [...types, codeIn(call.result())].find(isErrorType);
}

function codeIn(result: Json | undefined): Json | undefined {
  const { error, code } = objectOf(result);
  return objectOf(error)['code'] ?? code ?? (typeof error === 'string' ? error : undefined);
}

/** The fields that an error itself names: `{ error: { field: "status" } }`, `{ errors: [{ path: ["status"] }] }`. */
export function fieldsNamedBy(call: ToolCall): readonly string[] {
  const result = objectOf(call.result());
  const inner = objectOf(result['error']);
  const lists = [result['errors'], inner['errors'], inner['issues'], result['issues']].filter(Array.isArray);
  const told = [result, inner, ...lists.flat().map((each) => objectOf(each as Json))].map(fieldIn);
  return [...new Set(told.filter((field) => field !== undefined))];
}

function fieldIn(error: Readonly<Record<string, Json>>): string | undefined {
  const { field, param, path } = error;
  const told = field ?? param ?? path;
  if (typeof told === 'string') return told === '' ? undefined : told;
  if (!Array.isArray(told) || told.length === 0) return undefined;
  return told.every((step) => typeof step === 'string' || typeof step === 'number') ? told.join('.') : undefined;
}

function objectOf(value: Json | undefined): Readonly<Record<string, Json>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, Json>>) : {};
}
