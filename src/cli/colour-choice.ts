import { colours, noColours, type Palette } from '../report/palette.ts';
import type { Context } from './context.ts';

/** Colours on a terminal, unless `--no-color` or a variable NO_COLOR that is not empty says otherwise. */
export function chosenPalette(options: Readonly<Record<string, unknown>>, context: Context): Palette {
  return wantsColour(options, context) ? colours : noColours;
}

export function wantsColour(options: Readonly<Record<string, unknown>>, { env, stdoutIsTerminal }: Context): boolean {
  if (options['color'] === false || (env['NO_COLOR'] ?? '') !== '') return false;
  return stdoutIsTerminal && env['TERM'] !== 'dumb';
}
