import { z } from 'zod';
import type { Json, ToolCall } from '../agent/run.ts';
import { displayName } from '../trace/display-name.ts';
import { type Answer, type ArgumentsWanted, asksForArguments, matchArguments } from './argument-match.ts';
import { compileJsonSchema, type JsonSchema } from './json-schema.ts';
import type { Fact } from './sight.ts';
import { listed, quoted } from './wording.ts';

/** Which tool calls are meant; empty means all of them. */
export interface ToolMatch extends ArgumentsWanted {
  readonly tool?: string | readonly string[] | undefined;
  readonly agent?: string | undefined;
  readonly effect?: 'read' | 'write' | undefined;
}

const json: z.ZodType<Json> = (z.json() as z.ZodType<Json>).meta({ id: 'JsonValue' });
const argumentObject = z.record(z.string(), json);

const schemaOfArguments: z.ZodType<JsonSchema> = z
  .union([z.boolean(), z.record(z.string(), z.unknown())])
  .superRefine((schema, context) => {
    try {
      compileJsonSchema(schema);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });

/** The `match` of every assertion about tools. */
export const toolMatch: z.ZodType<ToolMatch> = z
  .strictObject({
    tool: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe('Name of the tool, or several names of which one must be it; as in the trace, no patterns.'),
    arguments: argumentObject
      .optional()
      .describe('The arguments hold at least these; objects inside may hold more, lists have the same length.'),
    argumentsExactly: argumentObject.optional().describe('The arguments are these and no others.'),
    argumentsSchema: schemaOfArguments
      .optional()
      .describe(
        'A JSON Schema that the arguments meet (type, const, enum, properties, required, items, bounds, pattern, allOf, anyOf, oneOf, not).',
      ),
    effect: z
      .enum(['read', 'write'])
      .optional()
      .describe('What the tool changes in the world, where the trace tells it.'),
    agent: z.string().min(1).optional().describe('Name of the agent that made the call.'),
  })
  .meta({ id: 'ToolMatch', description: 'Which tool calls are meant; an empty match means all.' });

export interface MatchAnswer {
  readonly answer: Answer;
  /** What differed or could not be seen: names of keys, no content. */
  readonly differing: readonly string[];
}

const otherName: MatchAnswer = { answer: 'no', differing: ['name'] };
const matches: MatchAnswer = { answer: 'yes', differing: [] };

/** Nothing but the name is asked for. */
function isByName(match: ToolMatch): boolean {
  return match.agent === undefined && match.effect === undefined && !asksForArguments(match);
}

/** Compares one call with a match, in three values. */
export function matchCall(call: ToolCall, match: ToolMatch, digest: (value: unknown) => string | null): MatchAnswer {
  const name = answerTo(match.tool, call.name);
  // Arguments are content, read only where they decide.
  if (name === 'no') return otherName;
  if (name === 'yes' && isByName(match)) return matches;
  const { answer, differing } = matchArguments(call, match, digest);
  const agent = answerTo(match.agent, call.agent);
  const effect = answerTo(match.effect, call.effect);
  const answers = { name, agent, effect, arguments: answer };
  const values = Object.values(answers);
  const overall = values.includes('no') ? 'no' : values.includes('unknown') ? 'unknown' : 'yes';
  const keys = (['name', 'agent', 'effect'] as const).filter((key) => answers[key] === overall);
  const named = differing.map((argument) => `argument ${displayName(argument)}`);
  const form = answer === overall && named.length === 0 ? ['arguments'] : named;
  return { answer: overall, differing: overall === 'yes' ? [] : [...keys, ...(answer === 'yes' ? [] : form)] };
}

function answerTo(wanted: string | readonly string[] | undefined, actual: string | null): Answer {
  if (wanted === undefined) return 'yes';
  if (actual === null) return 'unknown';
  return (typeof wanted === 'string' ? actual === wanted : wanted.includes(actual)) ? 'yes' : 'no';
}

/** `"issue_refund" with the arguments order_id`, `any tool`: no values. */
export function matchText(match: ToolMatch): string {
  const names = match.tool === undefined ? [] : [match.tool].flat();
  const tool =
    names.length === 0
      ? 'any tool'
      : names.length === 1
        ? quoted(names[0] ?? '')
        : `one of ${listed(names.map(quoted))}`;
  const keys = Object.keys(match.arguments ?? match.argumentsExactly ?? {}).map((name) => displayName(name));
  const conditions = [
    ...(match.effect === undefined ? [] : [`effect ${match.effect}`]),
    ...(match.agent === undefined ? [] : [`agent ${quoted(match.agent)}`]),
    ...(keys.length === 0
      ? []
      : [`the ${match.argumentsExactly === undefined ? '' : 'exact '}arguments ${listed(keys)}`]),
    ...(match.argumentsSchema === undefined ? [] : ['arguments of the schema']),
  ];
  return conditions.length === 0 ? tool : `${tool} with ${listed(conditions)}`;
}

/** Facts that must be shown before the absence of a matching call can be told. */
export function factsBehind(match: ToolMatch): readonly Fact[] {
  return [
    'toolCalls',
    'failedToolCalls',
    ...(match.tool === undefined ? [] : (['toolNames'] as const)),
    ...(match.agent === undefined ? [] : (['subAgents'] as const)),
  ];
}

/** Why a call could not be compared, for `missing`. */
export function uncomparable(match: ToolMatch): string {
  return asksForArguments(match)
    ? 'arguments of some calls are not in the trace; content mode, or argument digests with the digest key (OTEL_EVAL_DIGEST_KEY), would show them'
    : 'name, agent or effect of some calls is not in the trace; gen_ai.tool.name, gen_ai.agent.name and otel_eval.tool.effect would tell them';
}

/** A call that ran, one that did not, or one of which the trace does not say. */
export function didRun({ outcome }: ToolCall): Answer {
  if (outcome === 'unknown') return 'unknown';
  return outcome === 'denied' || outcome === 'notRun' ? 'no' : 'yes';
}
