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
