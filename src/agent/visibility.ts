/** `shown`: every such fact of the run would be in this trace. `partly`: some may be missing. `hidden`: it cannot be seen. */
export type Sight = 'shown' | 'partly' | 'hidden';

/** What this trace can tell of its run (design §5). A verdict that rests on the absence of a fact needs `shown`. */
export interface Visibility {
  readonly modelCalls: Sight;
  readonly failedModelCalls: Sight;
  readonly toolCalls: Sight;
  readonly toolNames: Sight;
  readonly failedToolCalls: Sight;
  readonly callIds: Sight;
  readonly arguments: Sight;
  readonly results: Sight;
  readonly usage: Sight;
  readonly content: Sight;
  readonly subAgents: Sight;
}

export type VisibleFact = keyof Visibility;

export const visibleFacts: readonly VisibleFact[] = [
  'modelCalls',
  'failedModelCalls',
  'toolCalls',
  'toolNames',
  'failedToolCalls',
  'callIds',
  'arguments',
  'results',
  'usage',
  'content',
  'subAgents',
];

/**
 * Everything at one level, with exceptions.
 *
 * @example
 * sights('shown', { callIds: 'hidden' });
 */
export function sights(all: Sight, except: Partial<Visibility> = {}): Visibility {
  return { ...(Object.fromEntries(visibleFacts.map((fact) => [fact, all])) as unknown as Visibility), ...except };
}

const order: Readonly<Record<Sight, number>> = { hidden: 0, partly: 1, shown: 2 };

export function worse(a: Sight, b: Sight): Sight {
  return order[a] < order[b] ? a : b;
}

export function better(a: Sight, b: Sight): Sight {
  return order[a] > order[b] ? a : b;
}

/** `shown` for all of them, `hidden` for none, else `partly`. */
export function sightOfShare(seen: number, all: number): Sight {
  return seen === 0 ? 'hidden' : seen === all ? 'shown' : 'partly';
}
