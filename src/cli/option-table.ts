import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../suite/duration.ts';

/** Adds an option that may be given several times, and is then a list. */
export function repeatable(command: Command, flags: string, description: string): Command {
  const add = (value: string, previous: readonly string[] | undefined): readonly string[] => [
    ...(previous ?? []),
    value,
  ];
  return command.addOption(new Option(flags, `${description} (repeatable)`).argParser(add));
}

/** One of a few words. */
export function oneOf(
  command: Command,
  flags: string,
  { words, description }: { words: readonly string[]; description: string },
): Command {
  return command.addOption(new Option(flags, description).choices(words));
}

/** A duration: `500ms`, `30s`, `2m`. */
export function duration(command: Command, flags: string, description: string): Command {
  const parse = (value: string): string => {
    if (parseDuration(value) !== undefined) return value;
    throw new InvalidArgumentError('expected a duration such as 500ms, 30s or 2m');
  };
  return command.addOption(new Option(flags, description).argParser(parse));
}
