import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';

/** Which traces of a server to read, where they are not named by id. All that is given must hold. */
export interface WantedTraces {
  /** `service.name` of a service that takes part. */
  readonly service?: string;
  /** `otel_eval.run.id`, on spans or resources. */
  readonly runId?: string;
  /** `gen_ai.conversation.id` or `session.id`. */
  readonly conversationId?: string;
  /** Milliseconds since 1970; default: one hour before the end. */
  readonly sinceUnixMs?: number;
  /** Milliseconds since 1970; default: now. */
  readonly untilUnixMs?: number;
  /** Traces at most, the newest first; default: all of the window. What is left out is named. */
  readonly limit?: number;
}

/** Attributes by which a conversation is known. */
export const conversationAttributes: readonly string[] = ['gen_ai.conversation.id', 'session.id'];

/** Looks again at what a search found: backends ignore conditions, see one fragment only, or take one of several. */
export function isWanted({ trace }: CollectedTrace, { service, runId, conversationId }: WantedTraces): boolean {
  const some = (names: readonly string[], value: string) =>
    trace.spans.some(({ attributes, resource }) =>
      names.some((name) => attributes.get(name) === value || resource.attributes.get(name) === value),
    );
  return (
    (service === undefined ||
      trace.spans.some(({ resource }) => resource.attributes.get('service.name') === service)) &&
    (runId === undefined || some([ownAttributes.runId], runId)) &&
    (conversationId === undefined || some(conversationAttributes, conversationId))
  );
}
