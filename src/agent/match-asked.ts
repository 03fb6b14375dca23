import { canonicalJson } from '../trace/canonical-json.ts';
import type { AskedCall } from './asked-calls.ts';
import { grouped } from './grouped.ts';
import type { ToolGroup } from './tool-groups.ts';

/** Which requests are told of by spans. */
export interface MatchedCalls {
  readonly matched: ReadonlyMap<ToolGroup, AskedCall>;
  /** Requests that spans tell of, though not which span tells of which. */
  readonly alike: ReadonlySet<AskedCall>;
}

/**
 * Which requested call each tool span carried out: by call id; without one by name and arguments, and where arguments
 * are not visible by name where only one of the turn's calls can be meant. Several of one turn and name that cannot be
 * told apart are as many calls as there are spans.
 */
export function matchAsked(groups: readonly ToolGroup[], asked: readonly AskedCall[]): MatchedCalls {
  if (asked.length === 0) return nothingAsked;
  const matched = new Map<ToolGroup, AskedCall>();
  const open = new Set(asked);
  const pass = (due: readonly ToolGroup[], pick: Pick): readonly ToolGroup[] =>
    due.filter((group) => {
      const call = pick(group, open);
      if (call === undefined) return true;
      matched.set(group, call);
      open.delete(call);
      return false;
    });
  const byId = grouped(asked, ({ id }) => id ?? undefined);
  const rest = pass(groups, (group) => idMatch(group, byId, open)).filter((group) => !hasId(group));
  const byName = grouped(open, ({ name }) => name);
  const unlike = pass(rest, (group) => argumentMatch(group, byName, open));
  const left = pass(unlike, (group) => onlyMatch(group, byName, open));
  const alike = new Set<AskedCall>();
  for (const group of left) {
    if (group.layers.some((layer) => layer.holds('arguments'))) continue;
    const [call] = inTurnOf(group, byName, open);
    if (call === undefined) continue;
    alike.add(call);
    open.delete(call);
  }
  return { matched, alike };
}

const nothingAsked: MatchedCalls = { matched: new Map(), alike: new Set() };

type Pick = (group: ToolGroup, open: ReadonlySet<AskedCall>) => AskedCall | undefined;

function hasId(group: ToolGroup): boolean {
  return group.layers.some((layer) => layer.find('callId') !== undefined);
}

function positionOf(group: ToolGroup): number {
  return group.layers[0]?.position ?? 0;
}

function idMatch(
  group: ToolGroup,
  byId: ReadonlyMap<string, AskedCall[]>,
  open: ReadonlySet<AskedCall>,
): AskedCall | undefined {
  const id = group.layers.map((layer) => layer.value('callId')).find((found) => found !== undefined);
  const calls = id === undefined ? [] : (byId.get(id) ?? []).filter((call) => open.has(call));
  const before = calls.filter(({ by }) => by.position < positionOf(group));
  return (before.length > 0 ? before : calls).at(0);
}

function candidates(
  group: ToolGroup,
  left: ReadonlyMap<string, AskedCall[]>,
  open: ReadonlySet<AskedCall>,
): readonly AskedCall[] {
  const name = group.layers.map((layer) => layer.value('toolName')).find((found) => found !== undefined);
  const named = name === undefined ? [...left.values()].flat() : (left.get(name) ?? []);
  return named.filter((call) => open.has(call) && call.by.position < positionOf(group));
}

function argumentMatch(
  group: ToolGroup,
  left: ReadonlyMap<string, AskedCall[]>,
  open: ReadonlySet<AskedCall>,
): AskedCall | undefined {
  const given = group.layers.map((layer) => layer.value('arguments')).find((found) => found !== undefined);
  if (given === undefined) return undefined;
  const wanted = canonicalJson(given);
  const equal = candidates(group, left, open).filter((call) => {
    if (call.arguments === undefined) return false;
    return canonicalJson(call.arguments) === wanted || soleValue(call.arguments) === wanted;
  });
  // An earlier equal call may be one whose span was lost.
  return equal.find((call) => inTurn(group, call)) ?? equal.at(-1);
}

function inTurn(group: ToolGroup, { by }: AskedCall): boolean {
  return by.layers.some(({ position }) => position === group.turn);
}

/** LangChain hands a tool of one argument the bare value. */
function soleValue(given: AskedCall['arguments']): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const values = Object.values(given);
  return values.length === 1 ? canonicalJson(values[0]) : undefined;
}

function onlyMatch(
  group: ToolGroup,
  left: ReadonlyMap<string, AskedCall[]>,
  open: ReadonlySet<AskedCall>,
): AskedCall | undefined {
  const likely = inTurnOf(group, left, open);
  return likely.length === 1 ? likely[0] : undefined;
}

function inTurnOf(
  group: ToolGroup,
  left: ReadonlyMap<string, AskedCall[]>,
  open: ReadonlySet<AskedCall>,
): readonly AskedCall[] {
  return candidates(group, left, open).filter((call) => inTurn(group, call));
}
