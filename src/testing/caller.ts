import { relative } from 'node:path';

/** Where `fn` was called: file and line, as `test/support.test.ts:12`. */
export function callerOf(fn: (...args: never[]) => unknown): string {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, fn);
  const [, frame = ''] = (holder.stack ?? '').split('\n');
  const [, path = '', line = ''] = /(?:\(|at )(?:async )?(?:file:\/\/)?([^()]+):(\d+):\d+\)?$/.exec(frame) ?? [];
  return path === '' ? 'a recording' : `${relative(process.cwd(), path)}:${line}`;
}
