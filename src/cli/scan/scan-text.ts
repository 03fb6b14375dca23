import { visibleText } from '../../report/visible-text.ts';
import type { InputReading } from '../../trace/trace-set.ts';
import { textTable } from '../show/text-table.ts';
import type { ScanResult } from './scan-result.ts';

/** What was found, for eyes: places, counts and where to look first. */
export function scanText(result: ScanResult, mode: string, columns: number): string {
  const { findings, spans, traces, logs, allowed } = result;
  const read = `${counted(spans, 'span')} of ${counted(traces, 'trace')}${logs === 0 ? '' : ` and ${counted(logs, 'log record')}`}`;
  const kept = allowed === 0 ? '' : `, ${allowed} allowed by the allow file`;
  if (findings.length === 0) return `nothing found in ${read} (${mode} mode)${kept}\n`;
  const rows = findings.map(({ code, rule, place, spans: count, first }) =>
    [code, rule === '' ? '-' : rule, place, String(count), `${first.spanId} in ${first.traceId}`].map(visibleText),
  );
  const table = textTable(['WHAT', 'BY', 'PLACE', 'SPANS', 'FIRST'], rows, { columns, cut: 4 });
  return `${counted(findings.length, 'place')} in ${read} hold what ${mode} mode forbids${kept}\n\n${table.join('\n')}\n`;
}

interface ScanFacts {
  readonly mode: string;
  readonly expired: readonly string[];
  readonly inputs: readonly InputReading[];
}

/** The same for a program: `otel-eval/scan/v1`. */
export function scanJson(result: ScanResult, { mode, expired, inputs }: ScanFacts): string {
  const { traces, spans, logs, allowed, findings } = result;
  const problems = inputs.flatMap(({ input, problems: told }) => told.map((problem) => ({ input, ...problem })));
  const examined = { traces, spans, logs };
  const document = { schema: 'otel-eval/scan/v1', mode, examined, allowed, expired, findings, problems };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
