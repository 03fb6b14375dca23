import type { Run } from '../../../../src/agent/run.ts';
import type { Span } from '../../../../src/trace/span.ts';
import { areLeaves, renamed, replaced, withAttributes, without } from './span-edits.ts';
import type { TraceMutation } from './trace-mutation.ts';

const conversation = 'gen_ai.conversation.id';

/** Who did it, and with whom. */
export const agentMutations: Readonly<Record<string, TraceMutation>> = {
  'another agent runs': ({ spans, run }) => {
    const agent = run.agent ?? run.steps.find((step) => step.agent !== null)?.agent ?? '';
    const named = spans.filter(({ attributes }) => [...attributes.values()].includes(agent));
    return agent === '' || named.length === 0
      ? undefined
      : replaced(spans, named, (span) => renamed(span, agent, 'intruder'));
  },
  'a handoff is missing': ({ spans, run }) => {
    const handoff = run.handoffs.findLast((each) => areLeaves(each.spans, spans));
    return handoff && without(spans, handoff.spans);
  },
  'a handoff goes to another agent': ({ spans, run }) => {
    const handoff = run.handoffs.findLast(({ to, spans: own }) => to !== null && own.some((span) => tells(span, to)));
    const to = handoff?.to ?? '';
    return handoff && replaced(spans, handoff.spans, (span) => renamed(span, to, 'intruder'));
  },
  'a retrieval is missing': ({ spans, run }) => {
    const retrieval = run.retrievals.findLast((each) => areLeaves(each.spans, spans));
    return retrieval && without(spans, retrieval.spans);
  },
  'the conversation changes on the way': ({ spans, run }) => {
    const carriers = spansOfOneAgent(run).filter(({ attributes }) => attributes.has(conversation));
    const last = carriers.at(-1);
    if (last === undefined || carriers.length < 2) return undefined;
    return replaced(spans, [last], (span) => withAttributes(span, [[conversation, 'another conversation']]));
  },
};

function spansOfOneAgent({ steps }: Run): readonly Span[] {
  const [first] = steps;
  return steps.flatMap(({ agent, kind, spans }) => (kind === 'model' && agent === first?.agent ? spans : []));
}

function tells({ name, attributes }: Span, agent: string): boolean {
  return name.includes(agent) || [...attributes.values()].includes(agent);
}
