import type { JudgedTrial } from '../../suite/judge/judge.ts';
import type { CollectedTrace } from '../../trace/trace-set.ts';
import type { Report, ScenarioReport, TrialReport } from '../report.ts';
import type { Waterfall } from './waterfall.ts';
import { waterfallOf } from './waterfall-of.ts';

export interface WaterfallStoreOptions {
  /** Leaves times out. */
  readonly deterministic: boolean;
  /** Of all traces. Default 30,000: a file of about ten megabytes, which browsers still open at once. */
  readonly mostRows?: number;
  /** Spans of one trace; a longer one is folded around its guilty spans to about so many rows. Default 6,000. */
  readonly longestTrace?: number;
}

interface Kept {
  readonly waterfall: Waterfall;
  needed: boolean;
}

/**
 * Draws traces while their runs are at hand, for the HTML report. Bounded: where there are too many, those of runs that
 * passed go first.
 */
export class WaterfallStore {
  readonly #options: Required<WaterfallStoreOptions>;
  readonly #kept = new Map<string, Kept>();
  #rows = 0;

  constructor(options: WaterfallStoreOptions) {
    this.#options = { mostRows: 30_000, longestTrace: 6_000, ...options };
  }

  see({ scenario, view, outcomes }: JudgedTrial): void {
    const needed = outcomes.some(({ verdict }) => verdict?.status !== 'passed');
    const guilty = new Set(outcomes.flatMap(({ verdict }) => verdict?.findings ?? []).flatMap(spanIds));
    for (const collected of view.traces) {
      const { traceId, spans } = collected.trace;
      const key = spans.length > this.#options.longestTrace ? foldedKey(scenario.name, traceId) : traceId;
      const known = this.#kept.get(key);
      if (known !== undefined && collected.replaces !== true) {
        known.needed ||= needed;
        continue;
      }
      if (!needed && this.#rows >= this.#options.mostRows) continue;
      this.#keep(key, this.#draw(collected, view, guilty), needed);
    }
  }

  /** Of a trial that was reported; a trace that is not kept is left out. */
  of({ name }: Pick<ScenarioReport, 'name'>, { traceIds }: Pick<TrialReport, 'traceIds'>): readonly Waterfall[] {
    return traceIds.flatMap((traceId) => {
      const kept = this.#kept.get(foldedKey(name, traceId)) ?? this.#kept.get(traceId);
      return kept === undefined ? [] : [kept.waterfall];
    });
  }

  #draw(collected: CollectedTrace, view: JudgedTrial['view'], guilty: ReadonlySet<string>): Waterfall {
    const { longestTrace, deterministic } = this.#options;
    return waterfallOf(collected, view.run, { rows: longestTrace, guilty, declared: view, deterministic });
  }

  #keep(key: string, waterfall: Waterfall, needed: boolean): void {
    const { mostRows } = this.#options;
    this.#rows += waterfall.rows.length - (this.#kept.get(key)?.waterfall.rows.length ?? 0);
    this.#kept.set(key, { waterfall, needed });
    for (const [other, { waterfall: drawn, needed: stays }] of this.#kept) {
      if (this.#rows <= mostRows) return;
      if (stays || other === key) continue;
      this.#kept.delete(other);
      this.#rows -= drawn.rows.length;
    }
    if (this.#rows > mostRows) {
      this.#kept.delete(key);
      this.#rows -= waterfall.rows.length;
    }
  }
}

/** A long trace is folded for each scenario anew, since each may have other guilty spans. */
function foldedKey(scenario: string, traceId: string): string {
  return `${scenario}\n${traceId}`;
}

function spanIds({ spans }: { readonly spans: readonly { readonly spanId: string }[] }): string[] {
  return spans.map(({ spanId }) => spanId);
}

/** What a format needs of the store. */
export type Waterfalls = (scenario: Report['scenarios'][number], trial: TrialReport) => readonly Waterfall[];
