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
    name: 'run',
    summary: 'drive an agent through the scenarios of a suite',
    load: async () => (await import('./run.ts')).runCommand,
  },
  {
    name: 'merge',
    summary: 'put the reports of shards together',
    load: async () => (await import('./merge.ts')).mergeCommand,
  },
  {
    name: 'view',
    summary: 'show reports and traces in a browser',
    load: async () => (await import('./view.ts')).viewCommand,
  },
  {
    name: 'gate',
    summary: 'judge a release against its baseline',
    load: async () => (await import('./gate.ts')).gateCommand,
  },
  {
    name: 'diff',
    summary: 'what differs between two reports, or versions of a tool',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  {
    name: 'show',
    summary: 'print traces as runs, tree, table or JSON',
    load: async () => (await import('./show.ts')).showCommand,
  },
  {
    name: 'explain',
    summary: 'how one span was read, and from which keys',
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  {
    name: 'receive',
    summary: 'take spans over OTLP/HTTP and keep them in a file',
    load: async () => (await import('./receive.ts')).receiveCommand,
  },
  {
    name: 'scan',
    summary: 'privacy check of existing traces and logs',
    load: async () => (await import('./scan.ts')).scanCommand,
  },
  {
    name: 'generate',
    summary: 'write a suite that recorded traces pass',
    load: async () => (await import('./generate.ts')).generateCommand,
  },
  {
    name: 'redact',
    summary: 'write a copy of traces to share, without content',
    load: async () => (await import('./redact.ts')).redactCommand,
  },
  {
    name: 'access',
    summary: 'prove by two requests who can read a captured trace',
    load: async () => (await import('./access.ts')).accessCommand,
  },
  {
    name: 'budget',
    summary: 'a bound on attempts, from a latency or a cost',
    load: async () => (await import('./budget.ts')).budgetCommand,
  },
  {
    name: 'rank',
    summary: 'tools by what their failures cost',
    load: async () => (await import('./rank.ts')).rankCommand,
  },
  {
    name: 'corpus',
    summary: 'rejected calls by tool and error code',
    load: async () => (await import('./corpus.ts')).corpusCommand,
  },
  {
    name: 'doctor',
    summary: 'why are there no spans?',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'init',
    summary: 'write a suite and an example to start from',
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'validate',
    summary: 'check a suite and name every mistake',
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  {
    name: 'schema',
    summary: 'JSON Schema of suites, for editors',
    load: async () => (await import('./schema.ts')).schemaCommand,
  },
];
