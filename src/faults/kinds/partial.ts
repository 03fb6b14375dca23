import type { DocumentOf, Fault, FaultCall } from './fault.ts';

export const partialFault: Fault<DocumentOf<'partial'>> = {
  kind: 'partial',
  presents: 'success',
  catchableBy: 'agent',
  summary: 'some items are accepted and carried out, the others rejected; the answer lists both',
  async inject(call, { ok, rejected }) {
    const items = itemsOf(call);
    if (items === undefined) return { inapplicable: 'the call holds no list of items' };
    if (items.length !== ok + rejected) return { inapplicable: `the call holds ${items.length} items` };
    const accepted = items.slice(0, ok);
    const refused = items.slice(ok);
    await call.run({ ...(call.arguments as object), [call.spec.items ?? '']: accepted });
    const answer = call.spec.partialResult ?? ((good, bad) => ({ accepted: good, rejected: bad }));
    return { returned: answer(accepted, refused) };
  },
};

function itemsOf({ arguments: args, spec }: FaultCall): readonly unknown[] | undefined {
  if (spec.items === undefined || typeof args !== 'object' || args === null) return undefined;
  const items = (args as Record<string, unknown>)[spec.items];
  return Array.isArray(items) ? items : undefined;
}
