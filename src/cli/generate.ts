import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { assertions } from '../../assertions/index.ts';
import { createRunReader } from '../agent/run-reader.ts';
import { type GeneratedSuite, generateSuite, type RecordedRun } from '../suite/generate/generate-suite.ts';
import { type SuiteForm, suiteSource } from '../suite/generate/suite-source.ts';
import { lostSpans } from '../suite/judge/lost-spans.ts';
import { isSelected } from '../suite/run-selection.ts';
import type { ScenarioDocument } from '../suite/suite-document.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CollectedTrace, Collection } from '../trace/trace-set.ts';
import { counted } from '../verdict/wording.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { NewFile } from './new-file.ts';
import { oneOf } from './option-table.ts';
import { describeOutput, describeSource } from './source-options.ts';
import type { SourceSettings } from './source-settings.ts';
import { withTraces } from './with-traces.ts';

const forms: Readonly<Record<string, SuiteForm>> = { '.yaml': 'yaml', '.yml': 'yaml', '.json': 'json', '.ts': 'ts' };

export const generateCommand: CommandModule = {
  describe(command: Command): void {
    describeSource(command);
    oneOf(command, '--completeness <state>', {
      words: ['proven', 'settled'],
      description: 'what is complete enough on a remote source (default: proven)',
    });
    command
      .addOption(new Option('--out <file>', 'suite to write: .yaml, .json or .ts (default: YAML to stdout)'))
      .option('--force', 'replace the file where it is already there');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Every assertion is tried on the traces before it is written, and holds in every run of its scenario: which tools were
called how often and in which order, that they succeeded, which models and agents took part, budgets with headroom, one
joined trace, no failure and no content beyond what is there. Counts are exact where the runs agree, else a range.

Examples:
  otel-eval generate --input good-run.jsonl --out refund.suite.yaml
  otel-eval generate --trace-source tempo --url http://tempo:3200 --service order-support --out refund.suite.ts

Exit codes: 0 written, 2 not a trace or wrong usage, 4 nothing to write.`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const { options } = invocation;
    const out = options['out'] as string | undefined;
    const form = formOf(out);
    const file = out === undefined ? undefined : await NewFile.open(out, context.cwd, options['force'] === true);
    try {
      return await withTraces(invocation, context, async (collection, settings) => {
        const generated = await generateFrom(collection, settings);
        const { suite, leftOut } = generated;
        if (suite === undefined) {
          context.note(`otel-eval: ${collection.source.address}: nothing that these traces show can be asserted`);
          tellLeftOut(leftOut, context);
          return 4;
        }
        const text = suiteSource(suite, form);
        if (file === undefined) await context.write(text);
        else await file.write(text);
        if (options['quiet'] !== true) tell(generated, out, context);
        return 0;
      });
    } finally {
      await file?.discard();
    }
  },
};

function formOf(out: string | undefined): SuiteForm {
  if (out === undefined) return 'yaml';
  const form = forms[extname(out).toLowerCase()];
  if (form !== undefined) return form;
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    'expected a file that ends in .yaml, .yml, .json or .ts, got another one',
    {
      source: '--out',
    },
  );
}

/** The runs that were asked for, with the traces they stand in. */
async function generateFrom(collection: Collection, settings: SourceSettings): Promise<GeneratedSuite> {
  const { oneRun, instrumented, selection, kind } = settings;
  const wanted = new Set(settings.traceIds.map((id) => id.toLowerCase()));
  const reader = createRunReader({ oneRun, instrumented });
  const traces = new Map<string, CollectedTrace>();
  const runs = [];
  for await (const group of collection.groups()) {
    if (wanted.size > 0 && !group.some(({ trace }) => wanted.has(trace.traceId))) continue;
    for (const each of group) traces.set(each.trace.traceId, each);
    runs.push(...reader.add(group));
  }
  runs.push(...reader.end());
  assertWhole(collection);
  const recorded: RecordedRun[] = runs
    .filter((run) => isSelected(run, selection))
    .map((run) => ({ run, traces: run.traces.flatMap(({ traceId }) => traces.get(traceId) ?? []) }));
  const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
  const acceptsSettled = settings.accepted === 'settled';
  return generateSuite(recorded, { kind, acceptsSettled, oneRun, instrumented, registry });
}

/** What was not read may be what matters: counts of the rest would be wrong. */
function assertWhole(collection: Collection): void {
  const [lost] = lostSpans(collection.inputs());
  if (lost === undefined) return;
  throw new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', lost.message, { source: collection.source.address });
}

function tell({ suite, leftOut }: GeneratedSuite, out: string | undefined, context: Context): void {
  const scenarios = suite?.scenarios ?? [];
  const written = scenarios.reduce((sum, scenario) => sum + scenario.assertions.length, 0);
  const what = `${counted(scenarios.length, 'scenario')}, ${counted(written, 'assertion')}`;
  context.note(`${out === undefined ? 'generated' : `wrote ${out}:`} ${what}`);
  tellDeclared(scenarios, context);
  tellLeftOut(leftOut, context);
}

function tellDeclared(scenarios: readonly ScenarioDocument[], context: Context): void {
  for (const { name, root, absentParentOf } of scenarios) {
    if (root === undefined && absentParentOf === undefined) continue;
    const where = root === undefined ? 'absentParentOf' : 'root: remote';
    context.note(
      `  ${name}: one parent is absent, and declared as such (${where}): record again if it was lost on the way`,
    );
  }
}

/** What is missing is often the same for many assertions: it is said once. */
function tellLeftOut(leftOut: GeneratedSuite['leftOut'], context: Context): void {
  const byReason = new Map<string, Map<string, Set<string>>>();
  for (const { scenario, assertion, weakened, why } of leftOut) {
    const fates = byReason.get(`${scenario}\n${why}`) ?? new Map<string, Set<string>>();
    byReason.set(`${scenario}\n${why}`, fates);
    const fate = weakened ? 'weakened' : 'left out';
    fates.set(fate, (fates.get(fate) ?? new Set()).add(assertion));
  }
  for (const [key, fates] of byReason) {
    const [scenario, why] = key.split('\n');
    const told = [...fates].map(([fate, names]) => `${[...names].join(', ')} ${fate}`);
    context.note(`  ${scenario}: ${told.join('; ')}: ${why}`);
  }
}
