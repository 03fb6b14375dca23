/** Which fault the trials of a scenario met, and what the plan demands. */
export interface FaultedScenario {
  /** Hash of the fault plan: counts of two plans are not compared. */
  readonly plan: string;
  readonly task: string;
  readonly row: string;
  readonly kind: string;
  readonly point: 'above_client' | 'below_client';
  readonly mode: string;
  readonly minimumExercised: number;
  /** Whether the same run would meet the same faults again. */
  readonly repeatable: boolean;
}

/** The four labels, and beside them runs that say nothing of the agent; together they are all runs. */
export interface ResilienceCounts {
  readonly runs: number;
  readonly labels: Readonly<Record<string, number>>;
  /** By state: `not_exercised`, `absorbed`, `missing` … */
  readonly invalid: Readonly<Record<string, number>>;
  readonly undecided: number;
  /** Runs that never got to a verdict. */
  readonly untold: number;
}

export interface ResilienceReport extends ResilienceCounts {
  readonly plan: string;
  readonly repeatable: boolean;
  /** In all shards together. */
  readonly planned: number;
  /** Share of runs with a label. */
  readonly exercisedShare: number;
  readonly minimumExercised: number;
  readonly rows: readonly (ResilienceCounts &
    Pick<FaultedScenario, 'kind' | 'point' | 'mode'> & { readonly scenario: string })[];
  /** What agents did because of a fault, by label. */
  readonly reactions: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Runs by flag: facts beside the label, which never change it. Absent in reports of before. */
  readonly flags?: Readonly<Record<string, number>>;
  /** Median of tool calls, and runs that the loop guard ended, where a fault came once and where it stayed. */
  readonly byMode: Readonly<
    Record<string, { readonly runs: number; readonly medianToolCalls: number | null; readonly loopGuards: number }>
  >;
  /** What each task came to without its faults. Absent where no runner has made controls. */
  readonly controls?: readonly {
    readonly task: string;
    readonly runs: number;
    readonly status: string;
    /** Share that made the same tool calls. */
    readonly agreement: number;
  }[];
  /** How much of each kind the client takes away: its own finding, no property of the agent. */
  readonly gaps: readonly {
    readonly kind: string;
    readonly above: number;
    readonly below: number;
    readonly absorbed: number;
  }[];
}
