import type { Span } from './span.ts';

export interface Depths {
  /** Distance of each span from its top, in the order of the spans. */
  readonly depths: Int32Array;
  /** The loops met on the way up, by their smallest id; each starts with it, and each id is followed by its parent. */
  readonly cycles: readonly (readonly string[])[];
}

const unknown = -2;
const onThisPath = -1;

/** Each span is walked once. `places` tells where in the list the span of an id stands. */
export function measureDepths(spans: readonly Span[], places: ReadonlyMap<string, number>): Depths {
  const parents = parentPlaces(spans, places);
  const depths = new Int32Array(spans.length).fill(unknown);
  const cycles: string[][] = [];
  for (let i = 0; i < spans.length; i += 1) {
    const path: number[] = [];
    let above = i;
    while (above >= 0 && depths[above] === unknown) {
      depths[above] = onThisPath;
      path.push(above);
      above = parents[above] as number;
    }
    let depth = above < 0 ? 0 : (depths[above] as number) + 1;
    if (above >= 0 && depths[above] === onThisPath) {
      // Every member of a cycle is a top, so that it does not matter where the walk came in.
      const cycle = path.splice(path.indexOf(above));
      for (const member of cycle) depths[member] = 0;
      cycles.push(fromSmallest(cycle.map((member) => (spans[member] as Span).spanId)));
      depth = 1;
    }
    for (let k = path.length - 1; k >= 0; k -= 1) {
      depths[path[k] as number] = depth;
      depth += 1;
    }
  }
  return { depths, cycles: cycles.sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1)) };
}

/** Where the parent of each span stands; -1 where there is none or it is not here. */
function parentPlaces(spans: readonly Span[], places: ReadonlyMap<string, number>): Int32Array {
  const parents = new Int32Array(spans.length).fill(-1);
  let lastId = '';
  let lastPlace = -1;
  for (let i = 0; i < spans.length; i += 1) {
    const { parentSpanId } = spans[i] as Span;
    if (parentSpanId === undefined) continue;
    // Siblings often follow each other.
    if (parentSpanId !== lastId) {
      lastId = parentSpanId;
      lastPlace = places.get(parentSpanId) ?? -1;
    }
    parents[i] = lastPlace;
  }
  return parents;
}

/** Around the loop, each id followed by its parent, starting from the smallest. */
function fromSmallest(ids: string[]): string[] {
  let smallest = 0;
  for (let i = 1; i < ids.length; i += 1) if ((ids[i] as string) < (ids[smallest] as string)) smallest = i;
  return [...ids.slice(smallest), ...ids.slice(0, smallest)];
}
