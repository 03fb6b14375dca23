import type { Suite } from '../suite/suite.ts';
import type { SourceKind } from '../trace/trace-set.ts';
import { exitCodeOf } from './exit-code-of.ts';
import type { Report, ReportError } from './report.ts';

export interface FailedLook {
  readonly version: string;
  readonly source: { readonly kind: SourceKind; readonly address: string };
  readonly accepted: 'proven' | 'settled';
  /** `unavailable`: required infrastructure was down. */
  readonly status: 'error' | 'unavailable';
  readonly error: ReportError;
  /** ISO 8601; absent in deterministic output. */
  readonly startedAt?: string;
  readonly durationMs?: number;
}

/** The report of a check that could not look: no scenario passed, and each says why. */
export function failedReport(suite: Suite, look: FailedLook): Report {
  const { version, source, accepted, status, error, ...times } = look;
  const none = { traces: 0, spans: 0 };
  const missing = [{ kind: error.code, message: error.message }];
  const summary = { passed: 0, failed: 0, inconclusive: 0, error: 0, unavailable: 0, notApplicable: 0 };
  return {
    schema: 'otel-eval/report/v1',
    version,
    suite: suite.name,
    ...times,
    status,
    exitCode: exitCodeOf(status),
    source: {
      ...source,
      completeness: {},
      fetched: none,
      unselected: none,
      unselectedTraces: [],
      accepted,
      problems: { count: 0, first: [] },
    },
    summary: { ...summary, [status]: suite.scenarios.length },
    applicability: [],
    scenarios: suite.scenarios.map(({ name, tags }) => ({ name, status, tags, trials: [], missing })),
    error,
  };
}
