import { isObject, parsed } from './content.ts';
import type { Json } from './run.ts';

/** Whether a framework's answer in the tool's place says that a person, or a rule, did not let the call run. */
export function showsDenial(result: Json | undefined): boolean {
  if (typeof result === 'string') return /^\s*[{[].*denied/s.test(result) && denies(parsed(result));
  return denies(result);
}

function denies(result: Json | undefined): boolean {
  if (Array.isArray(result)) return result.length === 1 && denies(result[0]);
  if (!isObject(result)) return false;
  if (result['denied'] === true || result['type'] === 'execution-denied') return true;
  return ['result', 'output', 'response', 'value', 'json'].some((key) => isObject(result[key]) && denies(result[key]));
}
