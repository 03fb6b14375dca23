import type { CommandModule } from './command.ts';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** All commands in the order people meet them; each is loaded when it is called and not before. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'check',
    summary: 'judge traces by a suite',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'show',
    summary: 'print traces as runs, tree, table or JSON',
    load: async () => (await import('./show.ts')).showCommand,
  },
];
