import { z } from 'zod';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { type CallOrder, callOrder } from '../src/verdict/call-order.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { type CountExpectation, countExpectation, type Range, rangeOf, wantedText } from '../src/verdict/count.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { nearMissesOf } from '../src/verdict/near-misses.ts';
import { judgeOrder, orderSentences } from '../src/verdict/order-findings.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { matchText, type ToolMatch, toolMatch } from '../src/verdict/tool-match.ts';
import { judgeToolCount, type ToolSelection } from '../src/verdict/tool-selection.ts';
import type { Finding, Verdict } from '../src/verdict/verdict.ts';
import { counted } from '../src/verdict/wording.ts';

export interface ToolCalledParameters {
  readonly match: ToolMatch;
  readonly expect: CountExpectation;
  readonly order?: CallOrder | undefined;
}

const parameters: z.ZodType<ToolCalledParameters> = z
  .strictObject({
    match: toolMatch,
    expect: countExpectation
      .default({ atLeast: 1 })
      .describe('How many such calls ran, failed ones included: atLeast, atMost, exactly or none. Default: atLeast 1.'),
    order: callOrder.optional().describe('In which order this and other tools were called.'),
  })
  .describe('A tool was called so often; requests of the model that did not run do not count.');

const findings = {
  'too-few-calls': sentence<{ tool: string; wanted: string; calls: number; toolCalls: number }>({
    expected: ({ tool, wanted }) => `${wanted} of ${tool}`,
    observed: ({ calls, toolCalls }) => `${calls} among ${counted(toolCalls, 'tool call')}`,
  }),
  'too-many-calls': sentence<{ tool: string; wanted: string; calls: number; toolCalls: number }>({
    expected: ({ tool, wanted }) => `${wanted} of ${tool}`,
    observed: ({ calls, toolCalls }) => `${calls} among ${counted(toolCalls, 'tool call')}`,
  }),
  ...orderSentences,
};
const finding = findingMaker('ToolCalled', findings);

interface Counted {
  readonly view: View;
  readonly match: ToolMatch;
  readonly range: Range;
  readonly selection: ToolSelection;
}

function wrongCount(verdict: 'too-few' | 'too-many', { view, match, range, selection }: Counted): Finding {
  const args = {
    tool: matchText(match),
    wanted: wantedText(range, 'call'),
    calls: selection.certain.length,
    toolCalls: view.run.toolCalls.length,
  };
  const spans = selection.certain.flatMap((call) => call.spans.slice(0, 1));
  if (verdict === 'too-many') return finding('too-many-calls', { arguments: args, spans });
  const nearMisses = nearMissesOf(view, match, selection);
  return finding('too-few-calls', { arguments: args, spans, nearMisses });
}

function evaluate(view: View, { match, expect, order }: ToolCalledParameters): Verdict {
  const range = rangeOf(expect);
  const { selection, verdict, missing } = judgeToolCount(view, match, range);
  const ordered = order === undefined ? { findings: [], missing: [] } : judgeOrder('ToolCalled', view, order);
  const isWrong = verdict === 'too-many' || (verdict === 'too-few' && missing.length === 0);
  return conclude({
    examined: spansExamined(view.run),
    findings: [...(isWrong ? [wrongCount(verdict, { view, match, range, selection })] : []), ...ordered.findings],
    missing: [...missing, ...ordered.missing],
    remarks: groundRemarks(view),
  });
}

export const toolCalled: Assertion<ToolCalledParameters> = {
  id: 'ToolCalled',
  summary: 'A tool was called so many times, with such arguments, in such an order.',
  needs:
    'for atLeast any trace that shows the calls; else a whole trace in which tool calls, failed ones too, are shown',
  parameters,
  findings,
  evaluate,
};
