import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** The folder of shared cases, beside the checkout or one level further up; `undefined` where there is none. */
export const sharedCases: string | undefined = [
  join(root, '..', 'shared', 'cases'),
  join(root, '..', '..', 'shared', 'cases'),
].find((folder) => existsSync(folder));

/** Why tests that need them are skipped. */
export const withoutSharedCases = 'the shared cases are not beside this checkout';
