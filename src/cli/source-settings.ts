import { dirname, relative, resolve } from 'node:path';
import { requestedTraceId } from '../../collectors/polling/requested-trace-id.ts';
import { expectedWait, parseWait } from '../suite/duration.ts';
import type { RunSelection } from '../suite/run-selection.ts';
import type { Suite } from '../suite/suite.ts';
import type { TracesDocument } from '../suite/suite-document.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { SourceKind } from '../trace/trace-set.ts';
import type { LoadedConfig } from './config-file.ts';
import type { Context } from './context.ts';
import { type ProjectionFiles, projectionFlags } from './projection-flags.ts';
import { type RemoteSettings, remoteSettings } from './remote-settings.ts';

/** Where the traces are and which of them are meant, from flags, environment, suite and configuration, in this order. */
export interface SourceSettings {
  readonly kind: SourceKind;
  /** Paths from the working folder, globs, or `-`. */
  readonly inputs: readonly string[];
  readonly traceIds: readonly string[];
  /** Service, run id and conversation that were asked for. */
  readonly selection: RunSelection;
  readonly oneRun: boolean;
  /** Scopes that the user vouches for. */
  readonly instrumented: readonly string[];
  readonly accepted: 'proven' | 'settled';
  readonly deadlineMs: number | undefined;
  readonly settleMs: number | undefined;
  /** Of source `tempo` or `jaeger`. */
  readonly remote: RemoteSettings | undefined;
  /** Files of `otel-eval access`, from the working folder. */
  readonly access: readonly string[];
  readonly projections: ProjectionFiles;
  /** Of a suite with source `memory`. */
  readonly spans: unknown;
}

export interface SourceGivens {
  /** A command stands behind `--`: then the source is `otlp` where nobody says otherwise. */
  readonly hasCommand?: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly config: LoadedConfig;
  readonly suite?: Suite;
}

export function sourceSettings(givens: SourceGivens, context: Context): SourceSettings {
  const traces = merged(givens, context);
  const kind = traces.source ?? (givens.hasCommand === true ? 'otlp' : 'file');
  const inputs = list(traces.input);
  assertGoTogether(kind, givens);
  if (kind === 'file' && inputs.length === 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected traces to read, got none', {
      hint: 'give --input FILE (a folder, a glob and - work too), or another --trace-source',
    });
  }
  const isRemote = kind === 'tempo' || kind === 'jaeger';
  return {
    kind,
    inputs,
    traceIds: isRemote ? list(traces.traceId).map(requestedTraceId) : list(traces.traceId),
    remote: isRemote ? remoteSettings(traces, givens.options, context) : undefined,
    selection: { service: traces.service, runId: traces.runId, conversationId: traces.conversationId },
    oneRun: traces.oneRun ?? false,
    instrumented: list(traces.instrumented),
    accepted: traces.completeness ?? 'proven',
    deadlineMs: milliseconds(traces.deadline),
    settleMs: milliseconds(traces.settle),
    access: list(traces.access),
    projections: eachList(traces.projections),
    spans: traces.spans,
  };
}

const ofServers = ['url', 'tenant', 'user', 'ca', 'header', 'query', 'since', 'until', 'limit'];

/** A flag that the source would pass over without a word is a mistake. */
function assertGoTogether(kind: SourceKind, { options, hasCommand }: SourceGivens): void {
  if (hasCommand === true && kind === 'otlp' && options['input'] !== undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', '--input does not go with a command behind "--"', {
      hint: 'the spans that the command sends are judged; leave one of the two out',
    });
  }
  const isRemote = kind === 'tempo' || kind === 'jaeger';
  const idle = (isRemote ? ['input'] : ofServers).find((name) => options[name] !== undefined);
  if (idle === undefined) return;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `--${idle} does not go with the source ${kind}`, {
    source: `--${idle}`,
    hint: isRemote
      ? 'files are read with --trace-source file'
      : 'servers are asked with --trace-source tempo or jaeger',
  });
}

function merged({ options, config, suite }: SourceGivens, context: Context): TracesDocument {
  const bySuite = rooted(suite?.traces ?? {}, suite?.path === undefined ? undefined : dirname(suite.path), context.cwd);
  const byConfig = rooted(config.traces ?? {}, config.folder, context.cwd);
  const layers = [fromFlags(options), fromEnvironment(context.env), bySuite, byConfig];
  return Object.assign({}, ...layers.reverse().map(withoutGaps)) as TracesDocument;
}

function fromFlags(options: SourceGivens['options']): TracesDocument {
  const { traceSource, projection, ...rest } = options;
  return {
    ...(rest as TracesDocument),
    source: traceSource as TracesDocument['source'],
    projections: projectionFlags(projection as readonly string[] | undefined),
  };
}

const variables: Readonly<Record<string, keyof TracesDocument>> = {
  OTEL_EVAL_TRACE_SOURCE: 'source',
  OTEL_EVAL_INPUT: 'input',
  OTEL_EVAL_TRACE_ID: 'traceId',
  OTEL_EVAL_URL: 'url',
  OTEL_EVAL_TENANT: 'tenant',
  OTEL_EVAL_SERVICE: 'service',
  OTEL_EVAL_RUN_ID: 'runId',
  OTEL_EVAL_CONVERSATION_ID: 'conversationId',
  OTEL_EVAL_COMPLETENESS: 'completeness',
  OTEL_EVAL_DEADLINE: 'deadline',
  OTEL_EVAL_SETTLE: 'settle',
};

const words: Readonly<Record<string, readonly string[]>> = {
  OTEL_EVAL_TRACE_SOURCE: ['file', 'memory', 'otlp', 'tempo', 'jaeger'],
  OTEL_EVAL_COMPLETENESS: ['proven', 'settled'],
};

function fromEnvironment(env: Context['env']): TracesDocument {
  const found: Record<string, string> = {};
  for (const [name, key] of Object.entries(variables)) {
    const value = env[name];
    if (value === undefined || value === '') continue;
    const allowed = words[name];
    if (allowed !== undefined && !allowed.includes(value)) {
      throw new OtelEvalError('OTEL_EVAL_USAGE', `expected one of ${allowed.join(', ')} in the variable ${name}`);
    }
    found[key] = value;
  }
  return found as TracesDocument;
}

/** Paths of a file start where the file stands. */
function rooted(traces: TracesDocument, folder: string | undefined, cwd: string): TracesDocument {
  if (folder === undefined) return traces;
  const fromHere = (path: string): string => (path === '-' ? path : relative(cwd, resolve(folder, path)) || '.');
  return {
    ...traces,
    input: traces.input && list(traces.input).map(fromHere),
    access: traces.access && list(traces.access).map(fromHere),
    projections: traces.projections && eachList(traces.projections, fromHere),
  };
}

function eachList(
  given: TracesDocument['projections'],
  change: (path: string) => string = (path) => path,
): ProjectionFiles {
  const entries = Object.entries(given ?? {}).filter(([, files]) => files !== undefined);
  return Object.fromEntries(entries.map(([kind, files]) => [kind, list(files).map(change)]));
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function milliseconds(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const parsed = parseWait(value);
  if (parsed !== undefined) return parsed;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `${expectedWait}, got "${value.slice(0, 40)}"`);
}

function withoutGaps(traces: TracesDocument): TracesDocument {
  return Object.fromEntries(Object.entries(traces).filter(([, value]) => value !== undefined));
}
