import type { AssertionUse } from '../../suite/assertion-use.ts';
import type { Suite } from '../../suite/suite.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { type ProjectionKind, type Projections, projectionKinds } from '../../verdict/projection/projection-row.ts';
import type { Context } from '../context.ts';
import type { ProjectionFiles } from '../projection-flags.ts';
import { projectionRows } from './projection-rows.ts';

const takes = 'ExecutionTraceJoined';

/** The suite with the rows of projections as evidence of `ExecutionTraceJoined`, beside those that a use of it brings. */
export async function withProjections(suite: Suite, files: ProjectionFiles, { cwd }: Context): Promise<Suite> {
  const kinds = projectionKinds.filter((kind) => files[kind] !== undefined);
  if (kinds.length === 0) return suite;
  const read = await Promise.all(
    kinds.map(async (kind) => [kind, await rowsOf(kind, files[kind] ?? [], cwd)] as const),
  );
  const projections: Projections = Object.fromEntries(read);
  const scenarios = suite.scenarios.map((scenario) => ({
    ...scenario,
    assertions: scenario.assertions.map((use) => withRows(use, projections)),
  }));
  if (scenarios.some(({ assertions }) => assertions.some(({ assertion }) => assertion.id === takes))) {
    return { ...suite, scenarios };
  }
  throw new OtelEvalError('OTEL_EVAL_USAGE', `no scenario asks for ${takes}, so nothing is joined with a projection`, {
    source: '--projection',
    hint: `judge by it: --assert ${takes}, or in the suite`,
  });
}

async function rowsOf(kind: ProjectionKind, files: readonly string[], cwd: string) {
  return (await Promise.all(files.map((file) => projectionRows(kind, file, cwd)))).flat();
}

function withRows(use: AssertionUse, projections: Projections): AssertionUse {
  if (use.assertion.id !== takes) return use;
  const given = use.parameters as { readonly projections?: Projections };
  return { ...use, parameters: { ...given, projections: { ...projections, ...given.projections } } };
}
