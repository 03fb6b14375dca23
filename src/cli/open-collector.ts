import { collectors } from '../../collectors/index.ts';
import type { Collector } from '../trace/trace-set.ts';
import type { Context } from './context.ts';
import type { SourceSettings } from './source-settings.ts';

/** The collector of a source; only the file of that one is loaded. */
export async function openCollector(settings: SourceSettings, context: Context): Promise<Collector> {
  const otlpFileCollector = await collectors.file();
  return otlpFileCollector({ inputs: settings.inputs, stdin: context.stdin });
}
