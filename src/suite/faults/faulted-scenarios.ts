import { scenarioOfRow } from '../../faults/plan/fault-plan.ts';
import type { Scenario, Suite } from '../suite.ts';

/**
 * The scenarios of a suite with one more for each row of its fault plan: the steps of the task, judged by what the agent
 * makes of the fault and by nothing else.
 */
export function withFaultedScenarios({ scenarios, run }: Suite): readonly Scenario[] {
  const faults = run?.faults;
  if (faults === undefined) return scenarios;
  const { plan, recovery, minimumExercised, repeatable, controls } = faults;
  const faulted = plan.rows.flatMap((row): Scenario[] => {
    const task = scenarios.find(({ name }) => name === row.task);
    if (task?.run === undefined) return [];
    const steps = task.run.steps.map((step) => ({ ...step, assertions: [] }));
    return [
      {
        ...task,
        name: scenarioOfRow(row),
        tags: [...task.tags, 'faulted'],
        assertions: [recovery],
        run: {
          ...task.run,
          steps,
          everyTrial: [],
          judges: [],
          fault: { plan: { hash: plan.hash }, row, minimumExercised, repeatable, controls },
        },
      },
    ];
  });
  return [...scenarios, ...faulted];
}
