import type { AssertionReport, Report, ScenarioReport, TrialReport } from '../../src/report/report.ts';

const trace = 'a1'.repeat(16);
const row = { traceId: trace, guilty: false, notes: [] };

export const passedAssertion: AssertionReport = {
  name: 'ExecutionTraceJoined',
  passed: true,
  status: 'passed',
  examined: 4,
  findings: [],
  missing: [],
  remarks: [],
};

export const failedAssertion: AssertionReport = {
  name: 'ExecutionTraceJoined',
  passed: false,
  status: 'failed',
  examined: 4,
  findings: [
    {
      code: 'execution-trace-joined/orphan-span',
      message: 'expected every span reachable from the root, observed 1 of 4 spans has a parent that was not collected',
      arguments: { orphans: 1, spans: 4 },
      spans: [{ traceId: trace, spanId: 'd000000000000004' }],
      expected: 'every span reachable from the root',
      observed: '1 of 4 spans has a parent that was not collected',
      nearMisses: [{ span: { traceId: trace, spanId: 'd000000000000002' }, difference: 'its id ends alike' }],
    },
  ],
  missing: [],
  remarks: [],
};

const undecided = { passed: false, status: 'inconclusive' as const, examined: 4, findings: [], remarks: [] };
const hidden = [{ kind: 'visibility', message: 'failed tool calls are not visible in this trace' }];

export const passedTrial: TrialReport = {
  index: 1,
  seed: null,
  status: 'passed',
  traceIds: [trace],
  runId: 'run-1',
  durationMs: 1240,
  steps: [],
  assertions: [passedAssertion],
  evidence: 'tempo, 4 spans, proven: the receipt says 4',
  rerun: null,
  tree: [],
};

export const failedTrial: TrialReport = {
  ...passedTrial,
  index: 2,
  seed: 41,
  status: 'failed',
  assertions: [failedAssertion, { ...undecided, name: 'ToolCalled', missing: hidden }],
  rerun: 'otel-eval check refund.yaml --scenario "refunds a paid invoice"',
  tree: [
    { ...row, spanId: 'd000000000000001', depth: 0, last: false, name: 'invoke_agent refund', durationMs: 1240 },
    { ...row, spanId: 'd000000000000002', depth: 1, last: false, name: 'chat', durationMs: 610 },
    { ...row, spanId: 'd000000000000003', depth: 1, last: true, name: 'chat', durationMs: 400 },
    {
      ...row,
      spanId: 'd000000000000004',
      depth: 0,
      last: true,
      name: 'execute_tool lookup_invoice',
      durationMs: 30,
      guilty: true,
      notes: ['parent 9a01c2… missing'],
    },
  ],
};

const undecidedTrial: TrialReport = {
  ...passedTrial,
  status: 'inconclusive',
  assertions: [
    passedAssertion,
    { ...undecided, name: 'ToolCalled', missing: hidden },
    { ...undecided, name: 'WithinBudget', missing: hidden },
  ],
  tree: [],
};

export const scenarios: readonly ScenarioReport[] = [
  { name: 'refunds a paid invoice', status: 'failed', tags: ['fast'], trials: [passedTrial, failedTrial], missing: [] },
  { name: 'looks nothing up twice', status: 'inconclusive', tags: [], trials: [undecidedTrial], missing: [] },
  { name: 'is joined', status: 'passed', tags: [], trials: [passedTrial], missing: [] },
  {
    name: 'escalates',
    status: 'inconclusive',
    tags: [],
    trials: [],
    missing: [{ kind: 'nothing-selected', message: 'expected at least one run with service billing, got none' }],
  },
];

/** One report with everything that a format has to lay out. */
export const sampleReport: Report = {
  schema: 'otel-eval/report/v1',
  version: '0.1.0',
  suite: 'refund-agent',
  startedAt: '2026-11-30T12:00:00.000Z',
  durationMs: 1250,
  status: 'failed',
  exitCode: 1,
  source: {
    kind: 'tempo',
    address: 'http://127.0.0.1:3200',
    completeness: { proven: 3 },
    fetched: { traces: 4, spans: 14 },
    unselected: { traces: 1, spans: 2 },
    unselectedTraces: [{ traceId: 'b2'.repeat(16), topSpanNames: ['GET /health'] }],
    accepted: 'proven',
    problems: {
      count: 1,
      first: [{ input: 'a.json', code: 'bad-count', message: 'expected 0 or more', at: 'line 1' }],
    },
  },
  summary: { passed: 1, failed: 1, inconclusive: 2, error: 0, unavailable: 0, notApplicable: 0 },
  applicability: [{ pack: 'approval', state: 'notApplicable', missing: ['tool approve_refund'] }],
  scenarios,
};
