import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { lostSpans } from '../suite/judge/lost-spans.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { PrivacyRules } from '../trace/privacy/privacy-violations.ts';
import type { Collection } from '../trace/trace-set.ts';
import { privacyRules } from '../verdict/privacy-rules.ts';
import { counted } from '../verdict/wording.ts';
import { canariesFrom } from './canaries-from.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { NewFile } from './new-file.ts';
import { assertKeptOut } from './redact/assert-kept-out.ts';
import { ShareableCopy } from './redact/shareable-copy.ts';
import { describeOutput, describeSource } from './source-options.ts';
import { withTraces } from './with-traces.ts';

export const redactCommand: CommandModule = {
  describe(command: Command): void {
    describeSource(command);
    command
      .addOption(new Option('--out <file>', 'file to write: OTLP/JSON, one trace a line').makeOptionMandatory())
      .option('--force', 'replace the file where it is already there')
      .option('--canaries <file>', 'texts that must not stand in the copy, one a line, looked for in any spelling');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
A copy to share: words of people and models, arguments, results and texts of errors are replaced by numbered
placeholders, the same for the same text; ids, times, counts, names and structure stay. How tool calls came out, and
which try of which operation each was, is stamped first, so that verdicts on the copy are the same, or inconclusive.
The copy is checked as "otel-eval scan" would before it is written.

Examples:
  otel-eval redact --input run.jsonl --out shareable.jsonl
  otel-eval redact --trace-source tempo --url http://tempo:3200 --trace-id 7d269b633813fc60 --out shareable.jsonl

Exit codes: 0 written, 2 not a trace, not whole, or content left, 4 no span at all.`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const { options } = invocation;
    const out = options['out'] as string;
    const rules = await rulesFrom(options['canaries'] as string | undefined, context);
    const file = await NewFile.open(out, context.cwd, options['force'] === true);
    try {
      return await withTraces(invocation, context, async (collection, { traceIds }) => {
        const copy = await copyOf(collection, traceIds);
        assertOther(out, collection, context.cwd);
        const { traces, spans, replaced } = copy.counts;
        if (spans === 0) {
          context.note(`otel-eval: ${collection.source.address}: read, and it holds no span`);
          return 4;
        }
        const text = copy.text();
        assertKeptOut(text, rules);
        await file.write(text);
        if (options['quiet'] === true) return 0;
        const what = `${counted(traces, 'trace')}, ${counted(spans, 'span')}`;
        context.note(`wrote ${out}: ${what}, ${counted(replaced, 'text')} replaced`);
        return 0;
      });
    } finally {
      await file.discard();
    }
  },
};

/** The copy takes the place of what stands at `--out`: of the recording itself, nothing would be left. */
function assertOther(out: string, collection: Collection, cwd: string): void {
  if (collection.source.kind !== 'file') return;
  const isInput = collection.inputs().some(({ input }) => resolve(cwd, input) === resolve(cwd, out));
  if (!isInput) return;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected another file than the input, got ${out} for both`, {
    hint: 'the recording would be lost: write the copy beside it',
  });
}

async function copyOf(collection: Collection, traceIds: readonly string[]): Promise<ShareableCopy> {
  const wanted = new Set(traceIds.map((id) => id.toLowerCase()));
  const copy = new ShareableCopy();
  for await (const group of collection.groups()) {
    if (wanted.size === 0 || group.some(({ trace }) => wanted.has(trace.traceId))) copy.add(group);
  }
  copy.end();
  if (wanted.size === 0) copy.logs(collection.looseLogs());
  const [lost] = lostSpans(collection.inputs());
  if (lost === undefined) return copy;
  throw new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `${lost.message}: a copy would look whole, and nothing was written`);
}

async function rulesFrom(file: string | undefined, context: Context): Promise<PrivacyRules> {
  const canaries = await canariesFrom(file, context);
  return privacyRules({ mode: 'metadata', allow: [], canaries, secrets: [], forbid: {} });
}
