/** Pass rates of a scenario's trials by the value of one measure. Descriptive: nothing is judged by it. */
export interface SliceReport {
  readonly scenario: string;
  readonly measure: string;
  readonly bins: readonly SliceBin[];
  /** Trials whose trace does not tell the measure. */
  readonly untold: number;
}

/** Values above `above` up to and including `upTo`; `null` is no bound. The interval is Wilson's, 95 %. */
export interface SliceBin {
  readonly above: number | null;
  readonly upTo: number | null;
  readonly runs: number;
  readonly passed: number;
  readonly lower: number;
  readonly upper: number;
}
