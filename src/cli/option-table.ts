import { type Command, InvalidArgumentError, Option } from 'commander';
import { expectedWait, parseWait } from '../suite/duration.ts';

/** Adds an option that may be given several times, and is then a list. */
export function repeatable(command: Command, flags: string, description: string): Command {
  const add = (value: string, previous: readonly string[] | undefined): readonly string[] => [
    ...(previous ?? []),
    value,
  ];
  return command.addOption(new Option(flags, `${description} (repeatable)`).argParser(add));
}

/** One of a few words; `hints` say what is meant where another one is likely. */
export function oneOf(
  command: Command,
  flags: string,
  {
    words,
    description,
    hints = {},
  }: { words: readonly string[]; description: string; hints?: Readonly<Record<string, string>> },
): Command {
  const option = new Option(flags, description).choices(words);
  const check = option.parseArg;
  return command.addOption(
    option.argParser((value: string, previous: unknown) => {
      const hint = Object.hasOwn(hints, value) ? hints[value] : undefined;
      if (hint !== undefined) throw new InvalidArgumentError(hint);
      return check?.call(option, value, previous as never);
    }),
  );
}

/** A duration: `500ms`, `30s`, `2m`. */
export function duration(command: Command, flags: string, description: string): Command {
  const parse = (value: string): string => {
    if (parseWait(value) !== undefined) return value;
    throw new InvalidArgumentError(expectedWait);
  };
  return command.addOption(new Option(flags, description).argParser(parse));
}
