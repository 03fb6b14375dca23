import { type Context, OutputClosed } from './context.ts';

/** The real process. */
export function processContext(): Context {
  const { stdout, stderr } = process;
  // Told to the writer through the callback below.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    now: () => Date.now(),
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (!error) resolve();
          else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new OutputClosed() : error);
        });
      }),
    note: (text) => {
      stderr.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    echo: (text) => {
      stderr.write(text);
    },
    untilStopped: (givenUp) =>
      new Promise((resolve) => {
        const stop = (): void => resolve();
        const signals = ['SIGINT', 'SIGTERM'] as const;
        for (const signal of signals) process.once(signal, stop);
        givenUp?.addEventListener('abort', () => {
          for (const signal of signals) process.off(signal, stop);
        });
      }),
    stdoutIsTerminal: stdout.isTTY === true,
    stderrIsTerminal: stderr.isTTY === true,
    columns: stdout.isTTY === true && stdout.columns > 0 ? stdout.columns : 80,
  };
}
