import { describe, expect, test } from 'vitest';
import { formatJson } from '../../../src/report/format-json.ts';
import { formatJunit } from '../../../src/report/format-junit.ts';
import { formatTerminal } from '../../../src/report/format-terminal.ts';
import { parseGateReport } from '../../../src/suite/gate/gate-report.ts';
import { projectionOf } from '../../../src/suite/gate/projection.ts';
import { runInProcess, type ScriptedAgent } from './run-in-process.ts';

const joined = ['ExecutionTraceJoined'];
const exactly = (spans: number) => [{ SpansMatch: { match: {}, expect: { exactly: spans } } }];
const agent: ScriptedAgent = (_call, _ticket, span) => {
  span({ id: 'b', name: 'invoke_agent refund' });
  span({ id: 'c', name: 'chat', parent: 'b'.repeat(16) });
  return 'done';
};

describe('steps', () => {
  test('each is judged by what it made itself, all of them by the whole', async () => {
    const conversations: string[] = [];
    const { report } = await runInProcess(
      {
        scenarios: [
          {
            name: 'two turns',
            steps: [
              { name: 'ask', input: 'one', assertions: exactly(1) },
              { name: 'answer', input: 'two', conversation: 'other', assertions: exactly(2) },
            ],
            assertions: [...joined, ...exactly(6)],
          },
        ],
      },
      (call, _ticket, span) => {
        conversations.push(call.conversation);
        if (call.index === 0) span({ id: 'b' });
        else for (const id of ['c', 'd']) span({ id });
        return 'ok';
      },
    );
    const [trial] = report.scenarios[0]?.trials ?? [];
    expect(conversations).toEqual(['main', 'other']);
    expect(trial?.assertions.map(({ name, status }) => [name, status])).toEqual([
      ['TargetAnswered', 'passed'],
      ['TrialTraced', 'passed'],
      ['TrialIndependent', 'passed'],
      ['ExecutionTraceJoined', 'passed'],
      ['SpansMatch', 'passed'],
      ['ask › SpansMatch', 'passed'],
      ['answer › SpansMatch', 'passed'],
    ]);
    expect(trial?.steps).toEqual([
      { name: 'ask', status: 'passed' },
      { name: 'answer', status: 'passed' },
    ]);
  });

  test('a right answer without evidence is no pass', async () => {
    const { report } = await runInProcess({ scenarios: [{ name: 'a', steps: ['x'], assertions: joined }] }, () => '42');
    const [trial] = report.scenarios[0]?.trials ?? [];
    expect([report.exitCode, trial?.assertions[1]?.missing[0]?.message]).toEqual([
      4,
      'no span came in: is the target instrumented, does it export to this source, and does it flush before it ends?',
    ]);
  });
});

describe('packs', () => {
  const suite = {
    packs: [{ name: 'approval', requires: { operations: ['resume'], evidence: ['approval.asked'] } }],
    probe: 'hello',
    scenarios: [
      { name: 'plain', steps: ['x'], assertions: joined },
      { name: 'resumes', pack: 'approval', steps: ['x'], trials: 2, assertions: joined },
    ],
  };
  const has =
    (
      operations: readonly string[] | undefined,
      events: readonly string[] = ['otel_eval.evidence.approval.asked'],
    ): ScriptedAgent =>
    (_call, _ticket, span) => {
      span({
        id: 'b',
        events,
        ...(operations === undefined ? {} : { resource: { 'otel_eval.manifest.operations': operations } }),
      });
      return 'ok';
    };
  const states = async (scripted: ScriptedAgent) => {
    const { report, ran } = await runInProcess(suite, scripted);
    return {
      report,
      probe: ran.probe,
      trials: report.scenarios.map(({ trials }) => trials.length),
      statuses: report.scenarios.map(({ status }) => status),
    };
  };

  test('applicable: run and proven', async () => {
    const { report, statuses } = await states(has(['resume']));
    expect([statuses, report.applicability]).toEqual([
      ['passed', 'passed'],
      [{ pack: 'approval', state: 'applicable', missing: [] }],
    ]);
  });

  test('explicitly absent: not run', async () => {
    const { trials, probe } = await states(has([]));
    expect([trials, probe.packs.get('approval')]).toEqual([
      [1, 0],
      { state: 'notApplicable', missing: ['operation resume'] },
    ]);
  });

  test('not told: run, and inconclusive', async () => {
    expect((await states(has(undefined))).statuses).toEqual(['passed', 'inconclusive']);
  });

  test('declared and not shown: failed, and the pack is a failed proof', async () => {
    const { report, statuses } = await states(has(['resume'], []));
    expect([statuses, report.applicability]).toEqual([
      ['passed', 'failed'],
      [{ pack: 'approval', state: 'failedProof', missing: ['approval.asked'] }],
    ]);
  });

  test('the probe is closed before any trial opens, and gets nothing of the scenarios', async () => {
    const log: string[] = [];
    await runInProcess(suite, has(['resume']), {
      onOpen: ({ scenario }) => log.push(`open ${scenario}`),
      onClose: ({ scenario }) => log.push(`close ${scenario}`),
    });
    expect(log.slice(0, 3)).toEqual(['open applicability probe', 'close applicability probe', 'open plain']);
  });

  test('a probe that breaks makes nothing "not applicable"', async () => {
    const { trials, probe } = await states((call) => {
      if (call.conversation === 'probe') throw new Error('database down');
      return 'ok';
    });
    expect([trials, probe.problem]).toEqual([
      [1, 0],
      { status: 'error', code: 'OTEL_EVAL_TARGET', message: 'the target threw Error' },
    ]);
  });

  test('a pack that the suite does not name is a mistake of the suite', async () => {
    const wrong = { ...suite, scenarios: [{ name: 'a', pack: 'aproval', steps: ['x'], assertions: joined }] };
    await expect(runInProcess(wrong, agent)).rejects.toThrow('unknown pack \\"aproval\\"');
  });
});

describe('semantic judges', () => {
  const judged = async (judge: unknown, assertions: readonly unknown[] = joined) => {
    const { report } = await runInProcess(
      { judges: { polite: judge }, scenarios: [{ name: 'a', steps: ['x'], judges: ['polite'], assertions }] },
      agent,
    );
    const [trial] = report.scenarios[0]?.trials ?? [];
    return { status: trial?.status, said: trial?.assertions.at(-1), junit: formatJunit(report) };
  };

  test('stands beside the verdict, labelled, and does not count', async () => {
    const { status, said, junit } = await judged(() => false);
    expect([status, said?.name, said?.status, said?.nondeterministic, said?.advisory]).toEqual([
      'passed',
      'judge polite',
      'failed',
      true,
      true,
    ]);
    expect(junit).not.toContain('judge polite');
  });

  test('may fail a trial where the suite says so, and never saves one', async () => {
    expect((await judged({ judge: () => false, decides: true })).status).toBe('failed');
    expect((await judged({ judge: () => true, decides: true }, exactly(9))).status).toBe('failed');
    expect((await judged({ judge: () => true, decides: true })).status).toBe('passed');
  });

  test('one that throws, or answers something else, has said nothing', async () => {
    for (const judge of [() => Promise.reject(new Error('x')), () => 'yes']) {
      const { status, said } = await judged({ judge, decides: true });
      expect([status, said?.status, said?.missing[0]?.message]).toEqual([
        'inconclusive',
        'inconclusive',
        'judge polite gave no answer',
      ]);
    }
  });

  test('it is shown what was said and done', async () => {
    const seen: unknown[] = [];
    await judged(({ scenario, steps, run }: { scenario: string; steps: unknown; run: { traces: unknown[] } }) => {
      seen.push([scenario, steps, run.traces.length]);
      return true;
    });
    expect(seen).toEqual([['a', [{ name: 'step 1', input: 'x', reply: 'done' }], 1]]);
  });
});

test('no content: every input and output is a sentinel, and none is in any report', async () => {
  const canary = (where: string): string => `CANARY ${where} `.repeat(20);
  const { report } = await runInProcess(
    {
      scenarios: [
        {
          name: 'failing',
          steps: [{ name: canary('step'), input: canary('input') }],
          assertions: exactly(7),
          trials: 2,
        },
        { name: 'throwing', steps: [{ input: { deep: canary('data') } }], assertions: joined },
      ],
    },
    ({ input }, _ticket, span) => {
      if (typeof input === 'object') throw new Error(canary('error'));
      span({
        id: 'b',
        name: canary('span'),
        events: [canary('event')],
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: canary('message') }] },
          ]),
          'gen_ai.response.id': canary('response'),
          'gen_ai.request.model': canary('model'),
        },
        resource: { 'service.name': canary('service') },
      });
      return canary('reply');
    },
  );
  const projection = JSON.stringify(projectionOf(parseGateReport(formatJson(report), 'report')));
  for (const text of [formatJson(report), formatJunit(report), formatTerminal(report), projection]) {
    expect(text).not.toContain('CANARY');
  }
  expect(report.exitCode).toBe(1);
});
