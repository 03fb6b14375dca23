import type { Thread } from './asked-calls.ts';
import type { Layer } from './layer.ts';
import type { Run } from './run.ts';
import type { ToolFacts } from './tool-facts.ts';
import { saysItWaits } from './tool-groups.ts';

type HumanInput = Run['humanInputs'][number];

/**
 * Where a person took part: as spans of its own tell it; else as calls that waited and went on, or were refused; else as
 * decisions among the messages.
 */
export function humanInputsOf(
  layers: readonly Layer[],
  tools: ToolFacts,
  threads: readonly Thread[],
): readonly HumanInput[] {
  const spans = layers.filter(({ kind }) => kind === 'human-input');
  if (spans.length > 0) {
    return spans.map((layer) => ({ kind: layer.value('humanInput') ?? 'approval', spans: [layer.span] }));
  }
  const decided = tools.calls.filter((call) => call.outcome === 'denied' || wentOn(call.layers));
  if (decided.length > 0) return decided.map((call) => ({ kind: 'approval', spans: call.spans }));
  return threads.flatMap(decisionsIn);
}

/** It waited, and a later span tells of the same call. */
function wentOn(layers: readonly Layer[]): boolean {
  const [first] = layers;
  const last = layers.at(-1);
  if (first === undefined || last === undefined || first === last) return false;
  if (saysItWaits(first)) return !saysItWaits(last);
  return first.dialect.silentWait === true && first.trace !== last.trace;
}

const tellsOfDecision = (text: string): boolean => /pproval|nterrupt/.test(text);

/** Histories repeat what was decided before: each decision counts once. */
function decisionsIn(thread: Thread): readonly HumanInput[] {
  const seen = new Set<string>();
  const found: HumanInput[] = [];
  for (const model of thread) {
    if (!model.layers.some((layer) => layer.holds('inputMessages') && layer.mayHold('inputMessages', tellsOfDecision)))
      continue;
    const decisions = (model.inputMessages() ?? []).flatMap((message) => message.decisions ?? []);
    for (const [place, { id }] of decisions.entries()) {
      const key = id ?? `place ${place}`;
      if (!seen.has(key)) found.push({ kind: 'approval', spans: model.spans });
      seen.add(key);
    }
  }
  return found;
}
