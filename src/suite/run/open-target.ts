import { resolve } from 'node:path';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { commandTarget } from '../target/command-target.ts';
import { type AgentFactory, functionTarget } from '../target/function-target.ts';
import { httpTarget } from '../target/http-target.ts';
import type { Target } from '../target/target.ts';
import type { CommandTargetDocument, DrivenTargetDocument, HttpTargetDocument } from './run-document.ts';

export interface OpenTargetOptions {
  /** Folder of the suite: relative paths start here. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person at a terminal asked to see what commands say on stderr. */
  readonly showStderr: boolean;
  /** The exports of a module; `shown` is the path as the suite has it. */
  readonly loadExports: (path: string, shown: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** A target as the suite describes it. */
export async function openTarget(document: DrivenTargetDocument, options: OpenTargetOptions): Promise<Target> {
  if ('command' in document) return command(document, options);
  if ('url' in document) return http(document, options.env);
  if ('create' in document) return functionTarget(document.create);
  return fromModule(document.module, options);
}

function command({ command: argv, per, cwd, env }: CommandTargetDocument, options: OpenTargetOptions): Target {
  return commandTarget({
    command: argv,
    ...(per === undefined ? {} : { per }),
    cwd: resolve(options.folder, cwd ?? '.'),
    env: { ...options.env, ...env },
    stderr: options.showStderr ? 'inherit' : 'ignore',
  });
}

function http({ tokenEnv, headers, ...document }: HttpTargetDocument, env: OpenTargetOptions['env']): Target {
  const token = tokenEnv === undefined ? undefined : env[tokenEnv];
  if (tokenEnv !== undefined && (token === undefined || token === '')) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a token in the variable ${tokenEnv}, which is not set`);
  }
  const { url, method, body, open, drain, close } = document;
  return httpTarget({
    url,
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
    ...(open === undefined ? {} : { open }),
    ...(drain === undefined ? {} : { drain }),
    ...(close === undefined ? {} : { close }),
  });
}

async function fromModule(reference: string, options: OpenTargetOptions): Promise<Target> {
  const [file = '', name = 'default'] = reference.split('#');
  const exports = await options.loadExports(resolve(options.folder, file), file);
  const factory = Object.hasOwn(exports, name) ? exports[name] : undefined;
  if (typeof factory === 'function') return functionTarget(factory as AgentFactory, name);
  const names = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  throw new OtelEvalError('OTEL_EVAL_SUITE', `expected ${file} to export a function ${name}, got none`, {
    source: file,
    hint: names.length === 0 ? 'it exports no function at all' : `it exports ${names.slice(0, 5).join(', ')}`,
  });
}
