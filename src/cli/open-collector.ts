import { collectors } from '../../collectors/index.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Collection, Collector } from '../trace/trace-set.ts';
import type { Context } from './context.ts';
import type { LiveOptions, LiveOutcome } from './live-command.ts';
import type { Waiting } from './open-remote.ts';
import type { Progress } from './progress.ts';
import type { SourceSettings } from './source-settings.ts';

/** The collector of a source; only the file of that one is loaded. */
export async function openCollector(settings: SourceSettings, context: Context, waiting: Waiting): Promise<Collector> {
  if (isRemote(settings)) {
    const { openRemote } = await import('./open-remote.ts');
    return openRemote(settings, context, waiting);
  }
  if (settings.kind === 'memory') return memoryCollector(settings);
  const otlpFileCollector = await collectors.file();
  return otlpFileCollector({ inputs: settings.inputs, stdin: context.stdin });
}

function isRemote({ kind }: SourceSettings): boolean {
  return kind === 'tempo' || kind === 'jaeger';
}

async function memoryCollector({ spans }: SourceSettings): Promise<Collector> {
  if (spans === undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected spans for source memory, got none', {
      hint: 'a TypeScript suite brings them: traces: { source: "memory", spans: … }',
    });
  }
  const { collectorOfSpans } = await import('../suite/collector-of-spans.ts');
  return collectorOfSpans(spans);
}

export interface CollectingGivens {
  readonly context: Context;
  readonly waiting?: Waiting;
  readonly progress: Progress;
  /** Of source `otlp`: what is run. */
  readonly live: LiveOptions;
}

/** Opens the source, hands its collection to `use`, and closes it whatever happens. */
export async function withCollection<T>(
  settings: SourceSettings,
  { context, waiting = {}, progress, live }: CollectingGivens,
  use: (collection: Collection, outcome?: LiveOutcome) => Promise<T>,
): Promise<T> {
  const { deadlineMs, kind } = settings;
  assertCommand(kind === 'otlp', live.command.length > 0);
  if (kind === 'otlp') {
    const { withLiveCommand } = await import('./live-command.ts');
    return withLiveCommand(live, { settings, context }, use);
  }
  const signal = deadlineMs === undefined || isRemote(settings) ? undefined : AbortSignal.timeout(deadlineMs);
  const collector = await openCollector(settings, context, {
    ...waiting,
    onProgress: (remote) => progress.asked(remote),
  });
  try {
    return await use(progress.over(await collector.collect(signal)));
  } catch (error) {
    if (signal?.aborted !== true || OtelEvalError.is(error)) throw error;
    const message = `no answer from ${settings.kind} within ${deadlineMs} ms`;
    throw new OtelEvalError('OTEL_EVAL_UNAVAILABLE', message, { hint: 'raise --deadline', cause: error });
  } finally {
    await collector.close();
  }
}

function assertCommand(isLive: boolean, isGiven: boolean): void {
  if (isLive && !isGiven) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected a command for source otlp, got none', {
      hint: 'as in --trace-source otlp -- npm run agent; "otel-eval receive" keeps spans for later',
    });
  }
  if (!isLive && isGiven) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'a command behind "--" goes with --trace-source otlp');
  }
}
