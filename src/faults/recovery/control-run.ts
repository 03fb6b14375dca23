import type { Json } from '../../agent/run.ts';
import type { Classification } from './classification.ts';
import { recoveryLabels } from './classification.ts';

/** What a run of the same task came to in which nothing was planted. */
export interface ControlRun {
  /** `error`: it could not be made, which says nothing of the agent. */
  readonly status: 'passed' | 'failed' | 'inconclusive' | 'error';
  /** Why it did not pass: one clause, no content. */
  readonly why: string | null;
  /** Tool calls in their order; arguments where they are visible. */
  readonly calls: readonly { readonly tool: string; readonly arguments?: Json | undefined }[];
}

export interface ControlRuns {
  readonly runs: readonly ControlRun[];
  /** Share of them that must make the same tool calls; `undefined`: labels that depend on the difference stay open. */
  readonly agreement: number | undefined;
}

/** What the controls are worth together: the worst of them, `missing` where there is none. */
export function controlStatus({ runs }: ControlRuns): ControlRun['status'] | 'missing' {
  return (
    (['error', 'failed', 'inconclusive'] as const).find((status) => runs.some((run) => run.status === status)) ??
    (runs.length === 0 ? 'missing' : 'passed')
  );
}

/** Share of the controls that make the same calls of the same tools as most of them do. */
export function controlAgreement({ runs }: ControlRuns): number {
  const ways = runs.map(({ calls }) => JSON.stringify(calls.map(({ tool }) => tool)));
  const most = Math.max(0, ...ways.map((way) => ways.filter((each) => each === way).length));
  return runs.length === 0 ? 0 : Number((most / runs.length).toFixed(4));
}

/**
 * One classification out of those against each control. What says nothing of recovery stays that; a label stands only
 * where the task passes without a fault, and where every control leads to the same one.
 */
export function settled(found: readonly [Classification, ...Classification[]], controls: ControlRuns): Classification {
  const [first] = found;
  if (first.status !== 'classified' && first.status !== 'undecided') return first;
  const open = { ...first, label: null, reasons: [], possible: [] };
  const untrusted = whyUntrusted(controls);
  if (untrusted !== undefined) return { ...open, ...untrusted };
  if (found.every(({ label }) => label === first.label)) return first;
  const possible = recoveryLabels.filter((label) => found.some((each) => each.possible.includes(label)));
  return { ...open, status: 'undecided', possible, missing: ['the control runs differ, and the label with them'] };
}

function whyUntrusted(controls: ControlRuns): Pick<Classification, 'status' | 'missing'> | undefined {
  const status = controlStatus(controls);
  const why = controls.runs.find((run) => run.status === status)?.why;
  const because = why === null || why === undefined ? '' : `: ${why}`;
  if (status === 'missing') return { status, missing: ['no control run was made'] };
  if (status === 'error') return { status: 'harness_error', missing: [`the control run could not be made${because}`] };
  if (status === 'failed')
    return {
      status: 'missing',
      missing: [`the task fails without a fault too${because}; what follows is not the fault's`],
    };
  if (status === 'inconclusive')
    return {
      status: 'missing',
      missing: [`the control run does not tell what the agent does without a fault${because}`],
    };
  const { agreement } = controls;
  const found = controlAgreement(controls);
  if (agreement === undefined || found >= agreement) return undefined;
  return { status: 'missing', missing: [`the control runs agree to ${found}, which is less than ${agreement}`] };
}
