import { Command, CommanderError } from 'commander';
import { nearestName } from '../suite/nearest-name.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { withLooseJsonFlag } from './check/loose-json-flag.ts';
import { commands } from './commands.ts';
import { type Context, OutputClosed } from './context.ts';
import { errorText } from './error-text.ts';
import { type ExitCode, exitCodeOfError } from './exit-code.ts';
import { helpText } from './help-text.ts';

/**
 * Runs one command line and tells its exit code. Never throws: what goes wrong is one sentence on stderr, with a stack
 * only under `--debug`.
 */
export async function runCommandLine(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    return await dispatch(args, context);
  } catch (error) {
    if (error instanceof OutputClosed) return 0;
    context.note(errorText(error, { debug: args.includes('--debug') }));
    return OtelEvalError.is(error) ? exitCodeOfError(error.code) : 2;
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return help(rest[0], context, name === undefined ? 2 : 0);
  }
  const entry = commands.find((command) => command.name === name);
  if (entry === undefined) throw unknown(name);
  const module = await entry.load();
  const divider = rest.indexOf('--');
  const own = divider < 0 ? rest : rest.slice(0, divider);
  const childCommand = divider < 0 ? [] : rest.slice(divider + 1);
  let helped = '';
  const command = quietCommand(entry, (text) => {
    helped += text;
  });
  module.describe(command);
  let code: ExitCode = 0;
  command.action(async () => {
    code = await module.run({ args: command.args, options: command.opts(), childCommand }, context);
  });
  try {
    await command.parseAsync(withLooseJsonFlag(own, context.cwd), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code !== 'commander.helpDisplayed') throw usageError(error, command);
    await context.write(`${helped.trimEnd()}\n`);
  }
  return code;
}

async function help(name: string | undefined, context: Context, code: ExitCode): Promise<ExitCode> {
  if (name === undefined) {
    await (code === 0 ? context.write(helpText(commands)) : context.note(helpText(commands)));
    return code;
  }
  return dispatch([name, '--help'], context);
}

/** commander without its own printing and exiting. */
function quietCommand({ name, summary }: { name: string; summary: string }, writeOut: (text: string) => void): Command {
  return new Command(`otel-eval ${name}`)
    .description(summary)
    .exitOverride()
    .configureOutput({ writeOut, writeErr: () => {} })
    .helpOption('-h, --help', 'this text')
    .allowExcessArguments(false);
}

function unknown(name: string): OtelEvalError {
  const names = commands.map((command) => command.name);
  if (name.startsWith('-')) {
    return new OtelEvalError('OTEL_EVAL_USAGE', `expected a command before the option ${name}: ${names.join(', ')}`);
  }
  const near = nearestName(name, names);
  return new OtelEvalError('OTEL_EVAL_USAGE', `unknown command "${name}"`, {
    hint: near === undefined ? `the commands are ${names.join(', ')}` : `did you mean "${near}"?`,
  });
}

function usageError(error: CommanderError, command: Command): OtelEvalError {
  const [sentence = ''] = error.message.replace(/^error: /, '').split('\n');
  if (error.code === 'commander.unknownOption') {
    const option = /'([^']+)'/.exec(sentence)?.[1] ?? '';
    const flags = [...command.options.map(({ long }) => long ?? ''), '--help'];
    const near = nearestName(option, flags);
    return new OtelEvalError('OTEL_EVAL_USAGE', `unknown option ${option} of "${command.name()}"`, {
      hint: near === undefined ? `see "${command.name()} --help"` : `did you mean ${near}?`,
    });
  }
  return new OtelEvalError('OTEL_EVAL_USAGE', sentence.replace(/\.$/, ''), { hint: `see "${command.name()} --help"` });
}
