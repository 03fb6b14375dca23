import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerdictStatus } from './judged.ts';

/** By reason, capture and mutation: what a suite says of a mutation that it does not call failed. */
type Listed = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, VerdictStatus>>>>>>;

const listed = JSON.parse(readFileSync(join(import.meta.dirname, 'not-red.json'), 'utf8')) as Listed;

/** Each as `capture: mutation: outcome`, with the reason. */
export const notRed: ReadonlyMap<string, string> = new Map(
  Object.entries(listed).flatMap(([why, captures]) =>
    Object.entries(captures).flatMap(([capture, mutations]) =>
      Object.entries(mutations).map(([mutation, outcome]) => [`${capture}: ${mutation}: ${outcome}`, why] as const),
    ),
  ),
);
