import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { type ProjectionKind, projectionKinds } from '../verdict/projection/projection-row.ts';

/** Files of each kind of projection, from the working folder. */
export type ProjectionFiles = Readonly<Partial<Record<ProjectionKind, readonly string[]>>>;

/** Reads each `KIND=FILE` behind `--projection`. */
export function projectionFlags(given: readonly string[] | undefined): ProjectionFiles | undefined {
  if (given === undefined) return undefined;
  const files: Partial<Record<ProjectionKind, string[]>> = {};
  for (const text of given) {
    const [, word, file] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    const kind = projectionKinds.find((each) => each === word);
    if (kind === undefined || file === undefined) {
      throw new OtelEvalError('OTEL_EVAL_USAGE', `--projection: expected KIND=FILE, got "${text.slice(0, 80)}"`, {
        source: '--projection',
        hint: `KIND is ${projectionKinds.join(', ')}, as in --projection ui=ui.jsonl`,
      });
    }
    files[kind] = [...(files[kind] ?? []), file];
  }
  return files;
}
