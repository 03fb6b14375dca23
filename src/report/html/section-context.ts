import type { TrialReport } from '../report.ts';
import type { Waterfalls } from '../waterfall/waterfall-store.ts';
import type { Numbering } from './numbering.ts';

/** What the sections of one page share. */
export interface SectionContext {
  readonly drawn: Waterfalls;
  readonly numbering: Numbering;
  /** The trial that is open when the page is. */
  readonly open: TrialReport | undefined;
  /** There is more than one scenario. */
  readonly many: boolean;
}
