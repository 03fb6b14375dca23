import type { Json } from '../agent/run.ts';
import { displayName } from '../trace/display-name.ts';
import type { View } from './assertion.ts';
import { referenceTo } from './finding.ts';
import type { ToolMatch } from './tool-match.ts';
import type { ComparedCall, ToolSelection } from './tool-selection.ts';
import type { Finding } from './verdict.ts';
import { counted, listed, quoted } from './wording.ts';

type NearMiss = NonNullable<Finding['nearMisses']>[number];

const mostShown = 5;

/** Calls that came near the match, and what differed: names of keys and outcomes, no content. */
export function nearMissesOf(view: View, match: ToolMatch, selection: ToolSelection): readonly NearMiss[] {
  const names = match.tool === undefined ? undefined : [match.tool].flat();
  const ofThatTool = ({ call }: ComparedCall) =>
    names === undefined || (call.name !== null && names.includes(call.name));
  const near = [...selection.others, ...selection.possible].filter(ofThatTool).map(nearMissOf);
  const requested = view.run.requestedNotRun
    .filter(({ name }) => name !== null && (names === undefined || names.includes(name)))
    .map(({ name }) => ({ span: null, difference: `${quoted(name ?? '')} was requested and did not run` }));
  const found = [...near, ...requested];
  return found.length > 0 ? found.slice(0, mostShown) : otherTools(view);
}

function nearMissOf({ call, answer, ran, differing }: ComparedCall): NearMiss {
  const [first] = call.spans;
  const absent = answer === 'no' ? absentArguments(call.arguments(), differing) : undefined;
  return {
    span: first === undefined ? null : referenceTo(first),
    difference: absent ?? differenceOf(answer, ran, differing, call.outcome),
  };
}

/** Where all that differs are arguments that the call has not got: a misspelt name more often than a wrong value. */
function absentArguments(given: Json | undefined, differing: readonly string[]): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || differing.length === 0) return undefined;
  const here = Object.keys(given);
  if (differing.some((part) => here.some((name) => part === `argument ${name}`) || !part.startsWith('argument '))) {
    return undefined;
  }
  const has = here.length === 0 ? 'the call has no arguments' : `the call has ${listed(here.map(displayName))}`;
  return `no ${listed(differing)}; ${has}`;
}

function differenceOf(
  answer: ComparedCall['answer'],
  ran: ComparedCall['ran'],
  differing: readonly string[],
  outcome: string,
): string {
  if (answer === 'no') return `${listed(differing)} ${differing.length === 1 ? 'differs' : 'differ'}`;
  if (outcome === 'denied') return 'was denied, so it did not run';
  if (ran === 'no') return 'did not run';
  if (ran === 'unknown') return 'may or may not have run';
  return `${differing.length === 0 ? 'arguments' : listed(differing)} cannot be seen`;
}

function otherTools(view: View): readonly NearMiss[] {
  const counts = new Map<string, number>();
  for (const { name } of view.run.toolCalls) {
    const shown = name === null ? 'a tool without a name' : `"${displayName(name)}"`;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  return [
    {
      span: null,
      difference: `called instead: ${listed([...counts].map(([name, count]) => `${name} ${counted(count, 'time')}`))}`,
    },
  ];
}
