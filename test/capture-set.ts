import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sharedCases } from './shared-cases.ts';

/** One call as the tool itself wrote it down. */
export interface TrueCall {
  readonly name: string;
  readonly outcome: 'ok' | 'threw' | 'soft-error' | 'timeout-applied' | 'handoff';
  /** The framework's own: a final answer, a delegation. */
  readonly frameworkTool?: boolean;
}

/** A story that a real framework told, and what really happened. */
export interface Capture {
  /** Framework and instrumentation with their versions: the folder's name. */
  readonly folder: string;
  readonly story: string;
  /** The trace, and log records beside it; empty where nothing was exported. */
  readonly files: readonly string[];
  readonly calls: readonly TrueCall[];
  readonly modelCalls: number;
  readonly tokens: number;
}

interface Truth {
  readonly toolCalls: readonly TrueCall[];
  readonly modelCalls: readonly unknown[];
  readonly usageTotal: { readonly input: number; readonly output: number };
}

/** Every capture where this is set, as the CI does; else those of a few frameworks, to keep the run short. */
export const allCaptures: boolean = process.env['OTEL_EVAL_ALL_CAPTURES'] !== undefined;

/** Folders of captures, in order. */
export function captureFolders(): readonly string[] {
  if (sharedCases === undefined) return [];
  const root = join(sharedCases, 'captures');
  return readdirSync(root)
    .filter((name) => statSync(join(root, name)).isDirectory())
    .sort();
}

/** Every n-th folder, unless all are asked for. */
export function sampleOf(folders: readonly string[], every: number): readonly string[] {
  return allCaptures ? folders : folders.filter((_, i) => i % every === 0);
}

export function capturesIn(folder: string): readonly Capture[] {
  const root = join(sharedCases ?? '', 'captures', folder);
  return readdirSync(root)
    .filter((name) => name.endsWith('.truth.json'))
    .sort()
    .map((name) => {
      const story = name.slice(0, -'.truth.json'.length);
      const truth = JSON.parse(readFileSync(join(root, name), 'utf8')) as Truth;
      const trace = ['otlp.json', 'otlp.jsonl', 'otlp.pb'].map((end) => join(root, `${story}.${end}`)).find(existsSync);
      const logs = join(root, `${story}.other-signals.otlp.jsonl`);
      const files = trace === undefined ? [] : [trace, ...(existsSync(logs) ? [logs] : [])];
      const { toolCalls: calls, modelCalls, usageTotal } = truth;
      return {
        folder,
        story,
        files,
        calls,
        modelCalls: modelCalls.length,
        tokens: usageTotal.input + usageTotal.output,
      };
    });
}
