/** Both ends belong to it. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}
