import { z } from 'zod';
import type { ToolCall } from '../src/agent/run.ts';
import { correctionsOf } from '../src/faults/heeded/corrections.ts';
import { replaysOf } from '../src/faults/heeded/replays.ts';
import { stopsOf } from '../src/faults/heeded/stops.ts';
import { faultEventsOf } from '../src/faults/read/fault-events.ts';
import { sessionEvents, sessionsMixed } from '../src/faults/read/fault-sessions.ts';
import { trajectoryOf } from '../src/faults/read/trajectory.ts';
import { displayName } from '../src/trace/display-name.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, listed, quoted } from '../src/verdict/wording.ts';

/** What must follow a result: exactly one of them. */
export interface HeededExpectation {
  /** Fields that the next call must correct, and nothing else; `named`: those that the error itself names. */
  readonly corrects?: 'named' | readonly string[] | undefined;
  readonly stops?: true | undefined;
  readonly commitsOnce?: true | undefined;
}

export interface ResultHeededParameters {
  readonly tool: string;
  /** Code of the error; absent: any failure. */
  readonly error?: string | undefined;
  readonly identity?: readonly string[] | undefined;
  readonly expect: HeededExpectation;
}

const expectation: z.ZodType<HeededExpectation> = z
  .strictObject({
    corrects: z
      .union([z.literal('named'), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe(
        'After a failed call the next one differs in these fields alone, as `status` or `customer.id`; `named`: in those that the error names.',
      ),
    stops: z.literal(true).optional().describe('After a failed call the tool is not called again.'),
    commitsOnce: z
      .literal(true)
      .optional()
      .describe('A call that had succeeded and was made again has one effect all the same.'),
  })
  .refine((given) => Object.values(given).filter((each) => each !== undefined).length === 1, {
    error: 'expected one of corrects, stops and commitsOnce',
  });

const parameters: z.ZodType<ResultHeededParameters> = z
  .strictObject({
    tool: z.string().min(1).describe('The tool whose result is to be heeded.'),
    error: z
      .string()
      .min(1)
      .optional()
      .describe('Only failures with this code: error.type, or error.code of the result. Default: any failure.'),
    identity: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Arguments that name the thing: calls about another one are no answer to this result.'),
    expect: expectation.describe('What must follow: one of corrects, stops and commitsOnce.'),
  })
  .describe('What the agent did after a particular result of a tool.');

const findings = {
  'not-corrected': sentence<{ tool: string; fields: readonly string[]; further: boolean }>({
    expected: ({ tool, fields }) => `after the failure a call of ${tool} with another ${listed(fields)}`,
    observed: ({ further }) => (further ? 'it is as it was' : 'no further call'),
  }),
  resampled: sentence<{ tool: string; fields: readonly string[]; others: number }>({
    expected: ({ tool, fields }) => `the next call of ${tool} to differ in ${listed(fields)} alone`,
    observed: ({ others }) => `${counted(others, 'other field')} changed too`,
  }),
  'went-on': sentence<{ tool: string; error: string; calls: number }>({
    expected: ({ tool, error }) => `no call of ${tool} after ${error}`,
    observed: ({ calls }) => counted(calls, 'call'),
  }),
  'committed-again': sentence<{ tool: string; standing: number }>({
    expected: ({ tool }) => `one effect of ${tool}, although the call was made again`,
    observed: ({ standing }) => `the same effect ${standing} times`,
  }),
};
const finding = findingMaker('ResultHeeded', findings);

interface Judged {
  readonly found: readonly Finding[];
  /** What lacks for a decision; of results without an occasion too. */
  readonly missing: readonly MissingEvidence[];
}

function evaluate(view: View, given: ResultHeededParameters): Verdict {
  const examined = spansExamined(view.run);
  if (isHeap(view.run)) return conclude({ examined, missing: [runsNotToldApart(view.run)] });
  const { found, missing } = judged(view, given);
  return conclude({ examined, findings: found, missing, remarks: groundRemarks(view) });
}

function judged(view: View, given: ResultHeededParameters): Judged {
  const { corrects, stops } = given.expect;
  const calls = trajectoryOf(view.run).map(({ call }) => call);
  if (corrects !== undefined) return corrected(view, calls, given, corrects);
  return stops === true ? stopped(view, calls, given) : committedOnce(view, calls, given);
}

function corrected(
  view: View,
  calls: readonly ToolCall[],
  given: ResultHeededParameters,
  corrects: 'named' | readonly string[],
): Judged {
  const { occasions, corrections, open } = correctionsOf(calls, { ...given, corrects });
  const tool = quoted(given.tool);
  const found = corrections.flatMap((each): Finding[] => {
    const spans = [each.failed, ...(each.next === undefined ? [] : [each.next])].flatMap((call) =>
      call.spans.slice(0, 1),
    );
    const fields = each.fields.map((field) => displayName(field));
    if (!each.changed) {
      return [finding('not-corrected', { arguments: { tool, fields, further: each.next !== undefined }, spans })];
    }
    return each.others === 0 ? [] : [finding('resampled', { arguments: { tool, fields, others: each.others }, spans })];
  });
  const content = { kind: 'content', message: `${open}; content mode would show it` };
  return {
    found,
    missing: [
      ...(occasions === 0 ? [notExercised(given)] : []),
      ...(open === null ? [] : [content]),
      ...undecidedAbsence(view, ['toolCalls', 'toolNames', 'failedToolCalls']),
    ],
  };
}

function stopped(view: View, calls: readonly ToolCall[], given: ResultHeededParameters): Judged {
  const { failed, further, open } = stopsOf(calls, given);
  const tool = quoted(given.tool);
  const error = given.error === undefined ? 'it failed' : `the error ${quoted(given.error)}`;
  const spans = [...(failed === undefined ? [] : [failed]), ...further].flatMap((call) => call.spans.slice(0, 1));
  const found =
    further.length === 0 ? [] : [finding('went-on', { arguments: { tool, error, calls: further.length }, spans })];
  // More spans cannot undo a call that was made.
  if (found.length > 0) return { found, missing: [] };
  const message = 'whether later calls are about the same thing cannot be told; content mode would show it';
  return {
    found,
    missing: [
      ...(failed === undefined ? [notExercised(given)] : []),
      ...(open ? [{ kind: 'content', message }] : []),
      ...undecidedAbsence(view, ['toolCalls', 'toolNames', 'failedToolCalls']),
    ],
  };
}

function committedOnce(view: View, calls: readonly ToolCall[], given: ResultHeededParameters): Judged {
  const { events, sessions } = sessionEvents(faultEventsOf(view.run));
  if (sessions > 1) return { found: [], missing: [{ kind: 'ledger', message: sessionsMixed(sessions) }] };
  const { replays, standing, hasLedger } = replaysOf(calls, events, given.tool);
  const tool = quoted(given.tool);
  const spans = calls.filter(({ name }) => name === given.tool).flatMap((call) => call.spans.slice(0, 1));
  const found = standing > 1 ? [finding('committed-again', { arguments: { tool, standing }, spans })] : [];
  const ledger = 'what the tool changed is not in the trace: a ledger of effects would show it';
  const message = `no call of ${tool} was made again after it had succeeded, so nothing is shown of replays`;
  return {
    found,
    missing: [
      ...(hasLedger ? [] : [{ kind: 'ledger', message: ledger }]),
      ...(replays === 0 && found.length === 0 ? [{ kind: 'not-exercised', message }] : []),
      ...(found.length > 0 ? [] : undecidedAbsence(view, ['toolCalls', 'toolNames', 'failedToolCalls'])),
    ],
  };
}

/** A run in which the tool never failed like that shows nothing of what follows. */
function notExercised({ tool, error }: ResultHeededParameters): MissingEvidence {
  const how = error === undefined ? 'failed' : `failed with ${quoted(error)}`;
  return { kind: 'not-exercised', message: `no call of ${quoted(tool)} ${how}, so nothing is shown of what follows` };
}

export const resultHeeded: Assertion<ResultHeededParameters> = {
  id: 'ResultHeeded',
  summary: 'After a particular result the agent corrected the named field, stopped, or changed nothing twice.',
  needs:
    'a whole trace in which tool calls, failed ones too, are shown, with arguments (corrects) or a ledger of effects (commitsOnce)',
  parameters,
  findings,
  evaluate,
};
