import { z } from 'zod';

/**
 * How long a fault lasts, from the first call that it hits. `random` and `wallSeconds` do not repeat, so that gated runs
 * refuse them.
 */
export type InjectionMode =
  | 'single'
  | 'until_end'
  | { readonly calls: number }
  /** `every: 3`: of the matching calls within that time only each third one. */
  | { readonly virtualSeconds: number; readonly every?: number | undefined }
  | { readonly wallSeconds: number }
  | { readonly random: { readonly share: number; readonly seed: number } };

export type ModeName = 'single' | 'until_end' | 'calls' | 'virtual_seconds' | 'wall_seconds' | 'random';

export const modeSchema: z.ZodType<InjectionMode> = z
  .union([
    z.enum(['single', 'until_end']),
    z.strictObject({ calls: z.int().positive().max(10_000) }),
    z.strictObject({
      virtualSeconds: z.number().positive(),
      every: z.int().positive().optional().describe('Of the matching calls only each n-th one.'),
    }),
    z.strictObject({ wallSeconds: z.number().positive().describe('Not repeatable: refused in gated runs.') }),
    z.strictObject({
      random: z
        .strictObject({ share: z.number().gt(0).lte(1), seed: z.int() })
        .describe('Not a plan but a draw: refused in gated runs.'),
    }),
  ])
  .describe('How long the fault lasts. Default: single.');

export function modeName(mode: InjectionMode): ModeName {
  if (typeof mode === 'string') return mode;
  if ('calls' in mode) return 'calls';
  if ('virtualSeconds' in mode) return 'virtual_seconds';
  return 'wallSeconds' in mode ? 'wall_seconds' : 'random';
}

/** `single-shot` asks whether the agent tries again, `sustained` whether it knows when to stop. */
export function modeClass(mode: ModeName): 'single' | 'sustained' {
  return mode === 'single' ? 'single' : 'sustained';
}

/** Why a gated run refuses this mode; `undefined` where it does not. */
export function notRepeatable(mode: InjectionMode): string | undefined {
  const name = modeName(mode);
  if (name === 'random') return 'random injection: the same run would meet another fault next time';
  if (name === 'wall_seconds')
    return 'wall-clock seconds: which calls they cover depends on the machine; use virtualSeconds';
  return undefined;
}
