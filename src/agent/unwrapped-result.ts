import { isObject, parsed } from './content.ts';
import type { Json } from './run.ts';

/** The value that a tool gave, without the envelope of a single content block. */
export function unwrapped(result: Json | undefined): Json | undefined {
  if (!Array.isArray(result) || result.length !== 1) return result;
  const [only] = result as readonly Json[];
  if (!isObject(only)) return result;
  if (only['json'] !== undefined) return only['json'];
  return typeof only['text'] === 'string' ? parsed(only['text']) : result;
}
