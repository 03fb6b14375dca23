import type { JudgedTrial } from '../judge/judge.ts';
import type { Suite } from '../suite.ts';
import { beforeDeadline } from '../trial/deadline.ts';
import type { Driven } from '../trial/drive-target.ts';
import type { PlannedScenario } from './run-plan.ts';
import type { JudgeWord } from './trial-outcome.ts';

export interface AskJudgesOptions {
  readonly suite: Suite;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks the semantic judges of a scenario, one after the other. A judge that throws or hangs has said nothing. */
export async function askJudges(
  { scenario }: PlannedScenario,
  driven: Driven,
  judged: JudgedTrial | null,
  { suite, timeoutMs, signal: outer }: AskJudgesOptions,
): Promise<JudgeWord[]> {
  const steps = driven.steps.map(({ name, reply }, at) => ({ name, input: scenario.run?.steps[at]?.input, reply }));
  const run = judged?.view.run ?? null;
  const words: JudgeWord[] = [];
  for (const name of scenario.run?.judges ?? []) {
    const document = suite.run?.judges[name];
    if (document === undefined) continue;
    const [judge, decides] = typeof document === 'function' ? [document, false] : [document.judge, document.decides];
    const said = await beforeDeadline(timeoutMs, outer, async (signal) =>
      judge({ scenario: scenario.name, steps, run, signal }),
    ).catch(() => ({ inTime: false }) as const);
    words.push({ name, decides, passed: said.inTime && typeof said.result === 'boolean' ? said.result : null });
  }
  return words;
}
