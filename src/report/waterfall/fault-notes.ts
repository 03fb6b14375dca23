import { displayName } from '../../trace/display-name.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span } from '../../trace/span.ts';

const stages = ['armed', 'matched', 'applied', 'delivered'];

/** `timeout delivered`: how far each fault that was planned for this span got. */
export function faultNotes({ events }: Span): string[] {
  const furthest = new Map<string, number>();
  for (const { name, attributes } of events) {
    if (!name.startsWith(ownAttributes.faultPrefix)) continue;
    const stage = stages.indexOf(name.slice(ownAttributes.faultPrefix.length));
    const kind = attributes.get('kind') ?? attributes.get(`${ownAttributes.faultPrefix}kind`);
    const word = typeof kind === 'string' ? displayName(kind) : 'fault';
    if (stage >= 0) furthest.set(word, Math.max(stage, furthest.get(word) ?? 0));
  }
  return [...furthest].map(([word, stage]) => `${word} ${stages[stage]}`);
}
