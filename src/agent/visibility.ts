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
  /** A call that fails leaves a mark on its span, with content left out too. */
  readonly failureMarks: Sight;
  readonly retrievals: Sight;
  readonly memory: Sight;
  readonly handoffs: Sight;
  /** Approvals and edits by a person; what a person writes is a message. */
  readonly humanInputs: Sight;
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
  'failureMarks',
  'retrievals',
  'memory',
  'handoffs',
  'humanInputs',
];

/** Few instrumentations show these: a dialect says so by name, or they are hidden. */
export const seldomShown: Partial<Visibility> = {
  failureMarks: 'hidden',
  retrievals: 'hidden',
  memory: 'hidden',
  handoffs: 'hidden',
  humanInputs: 'hidden',
};

/**
 * Everything at one level, with exceptions. Marks of failures, retrievals, memory, handoffs and human input are hidden
 * unless they are named.
 *
 * @example
 * sights('shown', { callIds: 'hidden', failureMarks: 'shown' });
 */
export function sights(all: Sight, except: Partial<Visibility> = {}): Visibility {
  const level = Object.fromEntries(visibleFacts.map((fact) => [fact, all])) as unknown as Visibility;
  return { ...level, ...seldomShown, ...except };
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
