import { wilson } from '../statistics/wilson.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { shown } from './policy-outcome.ts';
import type { Report, TrialReport } from './report.ts';
import type { SliceBin, SliceReport } from './slice-report.ts';

/** A measure and the upper ends of its bins, as `tool_calls:1,2`: up to 1, up to 2, above. */
export interface SliceSpec {
  readonly measure: string;
  readonly bounds: readonly number[];
}

const aliases: Readonly<Record<string, string>> = { trajectory_length: 'steps' };

/** `tool_calls:1,2` → the measure `toolCalls` in the bins ≤ 1, 2, > 2. */
export function parseSlice(text: string): SliceSpec {
  const [, name = '', list = ''] = /^([A-Za-z_]+):([\d.,]+)$/.exec(text) ?? [];
  const bounds = list.split(',').filter(Boolean).map(Number);
  const growing =
    bounds.length > 0 &&
    bounds.every((bound, at) => Number.isFinite(bound) && (at === 0 || bound > (bounds[at - 1] ?? 0)));
  if (name === '' || !growing) {
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      `expected --slice MEASURE:BOUNDS with growing bounds, got ${text.slice(0, 80)}`,
      {
        hint: 'as tool_calls:1,2 or trajectory_length:5,10,20',
      },
    );
  }
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { measure: aliases[name] ?? camel, bounds };
}

/** Pass rate and support in each bin of each scenario. Descriptive: no curve is fitted, and no bin is judged. */
export function withSlices(report: Report, specs: readonly SliceSpec[]): Report {
  if (specs.length === 0) return report;
  const slices = report.scenarios.flatMap(({ name, trials }) => specs.map((spec) => sliceOf(name, trials, spec)));
  return { ...report, slices };
}

function sliceOf(scenario: string, trials: readonly TrialReport[], { measure, bounds }: SliceSpec): SliceReport {
  const valued = trials.map(({ status, measures = {} }) => ({
    passed: status === 'passed',
    value: Object.hasOwn(measures, measure) ? (measures[measure] ?? null) : null,
  }));
  const edges = [
    ...bounds.map((bound, at) => ({ above: bounds[at - 1] ?? null, upTo: bound })),
    { above: bounds.at(-1) ?? null, upTo: null },
  ];
  const bins = edges.map(({ above, upTo }): SliceBin => {
    const inside = valued.filter(
      ({ value }) => value !== null && (above === null || value > above) && (upTo === null || value <= upTo),
    );
    const passed = inside.filter((each) => each.passed).length;
    const { lower, upper } = wilson(passed, inside.length);
    return { above, upTo, runs: inside.length, passed, lower: shown(lower), upper: shown(upper) };
  });
  return { scenario, measure, bins, untold: valued.filter(({ value }) => value === null).length };
}

/** `≤ 1`, `1 < … ≤ 2`, `> 2`. */
export function rangeText({ above, upTo }: Pick<SliceBin, 'above' | 'upTo'>): string {
  if (upTo === null) return `> ${above}`;
  return above === null ? `≤ ${upTo}` : `${above} < … ≤ ${upTo}`;
}

/** One slice as lines: `toolCalls ≤ 1   40 of 41 passed (87–100 %)`. */
export function sliceLines({ scenario, measure, bins, untold }: SliceReport): string[] {
  const percent = (share: number): string => (share * 100).toFixed(0);
  const lines = bins.map(({ runs, passed, lower, upper, ...range }) => {
    const rate = runs === 0 ? 'no run' : `${passed} of ${runs} passed (${percent(lower)}–${percent(upper)} %)`;
    return `  ${rangeText(range).padEnd(14)}  ${rate}`;
  });
  const silent = untold === 0 ? [] : [`  not told        ${untold} ${untold === 1 ? 'run' : 'runs'}`];
  return [`${scenario} by ${measure}`, ...lines, ...silent];
}
