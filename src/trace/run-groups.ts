import { ownAttributes } from './own-attributes.ts';
import type { Span } from './span.ts';

/** Which traces share a run id: they are handed over together. */
export class RunGroups {
  /** From a trace id towards the one that stands for its group. */
  readonly #towards = new Map<string, string>();
  readonly #firstOfRun = new Map<string, string>();

  /** Takes note of the run that a span names, on itself or on its resource. */
  note(span: Span): void {
    for (const attributes of [span.attributes, span.resource.attributes]) {
      const runId = attributes.get(ownAttributes.runId);
      if (typeof runId === 'string' && runId !== '') this.join(span.traceId, runId);
    }
  }

  join(traceId: string, runId: string): void {
    const first = this.#firstOfRun.get(runId);
    if (first === undefined) this.#firstOfRun.set(runId, traceId);
    else if (first !== traceId) {
      const [from, to] = [this.of(traceId), this.of(first)];
      if (from !== to) this.#towards.set(from, to);
    }
  }

  /** The trace id that stands for the group of this one. */
  of(traceId: string): string {
    let top = traceId;
    for (let next = this.#towards.get(top); next !== undefined; next = this.#towards.get(top)) top = next;
    for (let at = traceId; at !== top; ) {
      const next = this.#towards.get(at) ?? top;
      this.#towards.set(at, top);
      at = next;
    }
    return top;
  }

  /** The groups of more than one trace, each with the traces that named one of its runs. */
  several(): string[][] {
    const joined = new Set([...this.#towards].flat());
    return this.split(joined).filter((group) => group.length > 1);
  }

  /** These ids by group, groups and ids in the order given. */
  split(traceIds: Iterable<string>): string[][] {
    const groups = new Map<string, string[]>();
    for (const traceId of traceIds) {
      const top = this.of(traceId);
      const group = groups.get(top);
      if (group === undefined) groups.set(top, [traceId]);
      else group.push(traceId);
    }
    return [...groups.values()];
  }
}
