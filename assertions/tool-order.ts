import type { Assertion, View } from '../src/verdict/assertion.ts';
import { type CallOrder, callOrder } from '../src/verdict/call-order.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { judgeOrder, orderSentences } from '../src/verdict/order-findings.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import type { Verdict } from '../src/verdict/verdict.ts';

function evaluate(view: View, order: CallOrder): Verdict {
  return conclude({
    examined: spansExamined(view.run),
    ...judgeOrder('ToolOrder', view, order),
    remarks: groundRemarks(view),
  });
}

export const toolOrder: Assertion<CallOrder> = {
  id: 'ToolOrder',
  summary: 'Tools were called in an order: exact, in order, any order, or some before others.',
  needs: 'for calls beyond those allowed any trace; else a whole one in which tool calls, failed ones too, are shown',
  parameters: callOrder,
  findings: orderSentences,
  evaluate,
};
