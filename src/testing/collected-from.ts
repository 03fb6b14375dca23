import { collectors } from '../../collectors/index.ts';
import type { JaegerOptions } from '../../collectors/jaeger.ts';
import type { OtlpReceiver } from '../../collectors/otlp-receiver.ts';
import type { RemoteOptions } from '../../collectors/polling/remote-options.ts';
import type { TempoOptions } from '../../collectors/tempo.ts';
import type { RunSelection } from '../suite/run-selection.ts';
import type { Expectations } from '../trace/completeness-of.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CollectedTrace, Collector } from '../trace/trace-set.ts';
import { untilWhole } from './until-whole.ts';
import { wantedTraces } from './wanted-traces.ts';

/** Where the address, a secret and what selects come from elsewhere. */
type Asked<Options extends RemoteOptions> = Omit<
  Options,
  'url' | 'traceIds' | 'service' | 'runId' | 'conversationId' | 'early' | 'expectations' | 'decided' | 'environment'
> & {
  /** Base address. Default: the variable `OTEL_EVAL_URL`. Token, user and tenant default to `OTEL_EVAL_TOKEN`, `…_USER`, `…_TENANT`. */
  readonly url?: string;
};

/** A server that is asked, files, or a receiver that the test has started. */
export type TraceSource =
  | ({ readonly source: 'tempo' } & Asked<TempoOptions>)
  | ({ readonly source: 'jaeger' } & Asked<JaegerOptions>)
  | { readonly source: 'file' /** Files, folders or globs. */; readonly input: string | readonly string[] }
  | {
      readonly source: 'otlp';
      /** What `otlpReceiverCollector` made. It is left open. */
      readonly receiver: OtlpReceiver;
      /** How long to wait for whole traces; default 30,000. */
      readonly deadlineMs?: number;
    };

/** All traces of the source that may belong to the run. A collector is loaded when it is asked for, and alone. */
export async function collectedFrom(
  source: TraceSource & RunSelection,
  expectations: Expectations,
): Promise<CollectedTrace[]> {
  if (source.source === 'otlp') return untilWhole(source, expectations);
  const collector = await opened(source, expectations);
  try {
    return await wantedTraces(collector, source.traceId);
  } finally {
    await collector.close();
  }
}

type Opened = Exclude<TraceSource, { source: 'otlp' }> & RunSelection;

async function opened(options: Opened, expectations: Expectations): Promise<Collector> {
  try {
    if (options.source === 'file') return (await collectors.file())({ inputs: [options.input].flat() });
    const asked = { ...connection(options), ...search(options), expectations };
    return options.source === 'tempo' ? (await collectors.tempo())(asked) : (await collectors.jaeger())(asked);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_REQUIRE_ESM') throw cause;
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      `Jest refuses the ES modules that source ${options.source} needs; run it with NODE_OPTIONS=--experimental-vm-modules and this test as an ES module (.mjs), or on Node 24.9 or newer`,
    );
  }
}

function connection({ source, ...options }: Exclude<Opened, { source: 'file' }>): RemoteOptions {
  const { env } = process;
  const { url = env['OTEL_EVAL_URL'] } = options;
  if (url === undefined || url === '') {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected the address of ${source}, got none`, {
      hint: 'give url, or the variable OTEL_EVAL_URL',
    });
  }
  const defaults = { token: env['OTEL_EVAL_TOKEN'], user: env['OTEL_EVAL_USER'], tenant: env['OTEL_EVAL_TENANT'] };
  const given = Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined && value !== ''));
  const { traceId, agent, span, ...rest } = options;
  return { ...given, ...rest, environment: env, url } as RemoteOptions;
}

function search({ traceId, service, runId, conversationId }: RunSelection): Partial<RemoteOptions> {
  if (traceId !== undefined) return { traceIds: [traceId] };
  const given = Object.entries({ service, runId, conversationId }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
