import { type Command, InvalidArgumentError } from 'commander';
import { lostSpans } from '../suite/judge/lost-spans.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { logViolations, type PrivacyRules, spanViolations } from '../trace/privacy/privacy-violations.ts';
import type { Collection } from '../trace/trace-set.ts';
import { privacyRules } from '../verdict/privacy-rules.ts';
import { canariesFrom } from './canaries-from.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { oneOf } from './option-table.ts';
import { AllowFile } from './scan/allow-file.ts';
import { ScanResult } from './scan/scan-result.ts';
import { scanJson, scanText } from './scan/scan-text.ts';
import { describeOutput, describeSource } from './source-options.ts';
import { textOf } from './text-of.ts';
import { withTraces } from './with-traces.ts';

export const scanCommand: CommandModule = {
  describe(command: Command): void {
    describeSource(command);
    oneOf(command, '--mode <mode>', {
      words: ['metadata', 'content'],
      description: 'what was promised (default: metadata)',
    });
    command
      .option('--ceiling-bytes <n>', 'content mode: most bytes of content on one span', wholeNumber)
      .option('--canaries <file>', 'texts that may stand nowhere, one a line, looked for in any spelling')
      .option('--allow <file>', 'what reviewers have allowed, each with owner, reason and expiry')
      .option('--json', 'the result as JSON');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Names the places that hold content, credentials, canaries or raw reasoning, in spans and their log records; quotes nothing.

Examples:
  otel-eval scan --input traces/                          did content leave where only metadata was promised?
  otel-eval scan --input traces.jsonl --mode content --ceiling-bytes 65536
  otel-eval scan --trace-source tempo --url http://tempo:3200 --service order-support --allow privacy-allow.yaml

Exit codes: 0 nothing found, 1 found, 2 not a trace or wrong usage, 4 no span at all.`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const { options } = invocation;
    const mode = options['mode'] === 'content' ? 'content' : 'metadata';
    const rules = await rulesFrom(options, mode, context);
    const allow = await allowFile(options['allow'] as string | undefined, context);
    const result = new ScanResult(allow);
    return withTraces(invocation, context, async (collection, { traceIds }) => {
      await scanAll(collection, { rules, result, traceIds });
      const inputs = collection.inputs();
      // What was not read may hold what was looked for.
      const [lost] = lostSpans(inputs);
      if (lost !== undefined && result.findings.length === 0) {
        throw new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `${lost.message}: nothing was found in the rest`);
      }
      for (const line of allow.expired) context.note(`otel-eval: ${line}`);
      const isJson = options['json'] === true;
      const text = isJson
        ? scanJson(result, { mode, expired: allow.expired, inputs })
        : scanText(result, mode, context.columns);
      await context.write(text);
      if (result.spans === 0 && result.logs === 0) {
        context.note(`otel-eval: ${collection.source.address}: read, and it holds no span`);
        return 4;
      }
      return result.findings.length > 0 ? 1 : 0;
    });
  },
};

interface Scanning {
  readonly rules: PrivacyRules;
  readonly result: ScanResult;
  readonly traceIds: readonly string[];
}

async function scanAll(collection: Collection, { rules, result, traceIds }: Scanning): Promise<void> {
  const wanted = new Set(traceIds.map((id) => id.toLowerCase()));
  for await (const group of collection.groups()) {
    for (const { trace } of group) {
      if (wanted.size > 0 && !wanted.has(trace.traceId)) continue;
      result.traces++;
      result.spans += trace.spans.length;
      result.logs += trace.logs.length;
      for (const span of trace.spans) result.add(spanViolations(span, rules), span);
      for (const log of trace.logs) result.add(logViolations(log, rules), log);
    }
  }
  const loose = collection.looseLogs();
  result.logs += loose.length;
  for (const log of loose) result.add(logViolations(log, rules), log);
}

async function rulesFrom(
  options: Readonly<Record<string, unknown>>,
  mode: PrivacyRules['mode'],
  context: Context,
): Promise<PrivacyRules> {
  const canaries = await canariesFrom(options['canaries'] as string | undefined, context);
  return privacyRules({
    mode,
    ceilingBytes: options['ceilingBytes'] as number | undefined,
    canaries,
    secrets: [],
    allow: [],
    forbid: {},
  });
}

async function allowFile(name: string | undefined, context: Context): Promise<AllowFile> {
  if (name === undefined) return AllowFile.empty;
  return AllowFile.parse(await textOf(name, context.cwd), { name, nowMs: context.now() });
}

function wholeNumber(value: string): number {
  if (/^\d{1,12}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('expected a whole number of bytes');
}
