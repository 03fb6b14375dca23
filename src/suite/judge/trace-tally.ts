import { displayName } from '../../trace/display-name.ts';
import type { Trace } from '../../trace/trace.ts';

export interface TraceCounts {
  readonly traces: number;
  readonly spans: number;
}

export interface TraceMention {
  readonly traceId: string;
  readonly topSpanNames: readonly string[];
}

const mostMentions = 20;
const mostNames = 3;

/** Counts what was fetched and what nobody judged; the first few of the latter are named. Memory stays bounded. */
export class TraceTally {
  fetched: TraceCounts = { traces: 0, spans: 0 };
  unselected: TraceCounts = { traces: 0, spans: 0 };
  readonly mentions: TraceMention[] = [];
  /** Traces whose run is not yet known; the traces themselves are held by whoever waits for it. */
  readonly #open = new Map<string, { readonly trace: Trace; judged: boolean }>();

  see(trace: Trace): void {
    this.fetched = plus(this.fetched, trace);
    this.#open.set(trace.traceId, { trace, judged: false });
  }

  judged(traceId: string): void {
    const entry = this.#open.get(traceId);
    if (entry !== undefined) entry.judged = true;
  }

  /** Nothing more will judge it. */
  settle(traceId: string): void {
    const entry = this.#open.get(traceId);
    if (entry === undefined) return;
    this.#open.delete(traceId);
    if (!entry.judged) this.#mention(entry.trace);
  }

  settleAll(): void {
    for (const traceId of [...this.#open.keys()]) this.settle(traceId);
  }

  #mention(trace: Trace): void {
    this.unselected = plus(this.unselected, trace);
    if (this.mentions.length >= mostMentions) return;
    const tops = trace.roots.length > 0 ? trace.roots : trace.spans;
    const topSpanNames = tops.slice(0, mostNames).map(({ name }) => displayName(name));
    this.mentions.push({ traceId: trace.traceId, topSpanNames });
  }
}

function plus({ traces, spans }: TraceCounts, trace: Trace): TraceCounts {
  return { traces: traces + 1, spans: spans + trace.spans.length };
}
