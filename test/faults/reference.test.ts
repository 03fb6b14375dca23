import { beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/faults/kinds/index.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import { controlMessages, controlTask } from '../../src/faults/reference/control-task.ts';
import { type LintedRow, lintPlan } from '../../src/faults/reference/plan-lint.ts';
import { type ReferenceAgentName, referenceAgentNames } from '../../src/faults/reference/reference-agents.ts';
import { calendarCases, calendarRows } from './calendar-cases.ts';
import { record, setUpTracing } from './recorder.ts';

const cases = calendarCases;
const rows = calendarRows;

const lint = (point: string, mode: string, only = cases) =>
  lintPlan(parseFaultPlan(rows(point, mode, only)), { task: calendarTask, record, stepLimit: 12 });

/** What a suite declares of the same task. */
const declared = {
  control: [
    { tool: 'find_slots', arguments: { day: 'Tuesday' } },
    { tool: 'create_event', arguments: { start: '10:00' } },
    { tool: 'invite_people', arguments: { start: '10:00', people: ['Ana', 'Ben', 'Chi', 'Dana', 'Eli'] } },
    { tool: 'list_events', arguments: { day: 'Tuesday' } },
  ],
  effects: { find_slots: 'read', list_events: 'read' },
  verify: ['list_events'],
  alternates: [],
} as const;

const lintDeclared = (only: readonly unknown[], changes: object = {}) => {
  const plan = parseFaultPlan(only);
  const givens = { ...declared, ...changes, rows: plan.rows };
  const options = { verify: givens.verify, message: controlMessages };
  return lintPlan(plan, { task: controlTask('control', givens), record, options, stepLimit: 12 });
};

let above: readonly LintedRow[];
let below: readonly LintedRow[];

beforeAll(async () => {
  setUpTracing();
  above = await lint('above_client', 'single');
  below = await lint('below_client', 'single');
});

const nameOf = ([tool, fault]: (typeof cases)[number]): string =>
  `${typeof fault === 'string' ? fault : (fault as { kind: string }).kind} on ${tool}`;
const rowOf = (linted: readonly LintedRow[], name: string): LintedRow => {
  const found = linted[cases.findIndex((each) => nameOf(each) === name)];
  if (found === undefined) throw new Error(`no row ${name}`);
  return found;
};
const presents = (at: number): string | undefined => {
  const [, fault] = cases[at] ?? [];
  const kind = typeof fault === 'string' ? fault : (fault as { kind: string }).kind;
  return faults.find((each) => each.kind === kind)?.presents;
};
const word = (row: LintedRow, agent: ReferenceAgentName): string => {
  const { status, label, reasons } = row.labels[agent];
  return label === null ? status : reasons.length === 0 ? label : `${label}: ${reasons[0]}`;
};

describe('a task made of declared calls', () => {
  test('R4-40: gives every fault the labels that the task gives which is written by hand', async () => {
    const own = await lintDeclared(rows('above_client', 'single'));
    const told = (linted: readonly LintedRow[]) =>
      linted.map((row) => [referenceAgentNames.map((agent) => word(row, agent)), row.problems]);
    expect(told(own)).toEqual(told(above));
  });

  test('R4-40: without a read that shows whether the write took place, nobody can answer', async () => {
    const applied = [{ task: 'control', tool: 'create_event', fault: 'timeout_but_applied' }];
    const [row] = await lintDeclared(applied, { verify: [] });
    expect([row?.problems, row && word(row, 'verifier')]).toEqual([['unanswerable'], 'failed: duplicate_effect']);
    const [fair] = await lintDeclared(applied);
    expect([fair?.problems, fair && word(fair, 'verifier')]).toEqual([[], 'recovered']);
  });

  test('one write made twice cannot be told from a duplicate, and is refused', () => {
    const twice = {
      ...declared,
      control: [...declared.control, { tool: 'create_event', arguments: { start: '10:00' } }],
    };
    expect(() => controlTask('control', { ...twice, rows: [] })).toThrow(
      'the control run calls "create_event" twice with the same arguments',
    );
    expect(controlTask('control', { ...declared, rows: [] }).name).toBe('control');
  });
});

describe('reference agents', () => {
  test('every fault is in the table', () => {
    const kinds = new Set(
      cases.map(([, fault]) => (typeof fault === 'string' ? fault : (fault as { kind: string }).kind)),
    );
    expect([...kinds].sort()).toEqual(faults.map(({ kind }) => kind).sort());
  });

  test('R4-17, R4-18: timeout but applied separates verifier from blind retrier, a plain timeout does not', () => {
    const of = (name: string) => [word(rowOf(above, name), 'verifier'), word(rowOf(above, name), 'blind retrier')];
    expect(of('timeout_but_applied on create_event')).toEqual(['recovered', 'failed: duplicate_effect']);
    expect(of('timeout on create_event')).toEqual(['recovered', 'recovered']);
  });

  test('R4-24: below the client a 503 comes out alike however bad the agent is', () => {
    const row = rowOf(below, 'http_503 on create_event');
    expect(referenceAgentNames.map((agent) => word(row, agent))).toEqual(Array(6).fill('absorbed'));
    const exposed = rowOf(above, 'http_503 on create_event');
    expect(new Set(referenceAgentNames.map((agent) => word(exposed, agent))).size).toBe(4);
  });

  // Worked out from the rules on paper, each by the rule that decides it: a table that is only recorded could hold anything.
  test.each<[string, ReferenceAgentName, string]>([
    // Two effects of one key stand, and nobody says otherwise.
    ['timeout_but_applied on create_event', 'blind retrier', 'failed: duplicate_effect'],
    // Nothing was done, the second try does it: one effect, the adequate answer to an error.
    ['timeout on create_event', 'blind retrier', 'recovered'],
    // "No event was created", and the ledger holds one.
    ['timeout_but_applied on create_event', 'specific aborter', 'failed: false_report'],
    // It says nothing of the event, and the event stands.
    ['timeout_but_applied on create_event', 'vague aborter', 'failed: residue'],
    // It passes, and it came before the server had asked for.
    ['http_429 on find_slots', 'blind retrier', 'unnoticed_success'],
    ['http_429 on find_slots', 'verifier', 'recovered'],
    // sched-014: zero rows, booked anyway.
    ['empty on find_slots', 'ignorer', 'unnoticed_success'],
    // "All five are invited", and three are.
    ['partial on invite_people', 'ignorer', 'failed: false_report'],
    // The two that were turned away are named and invited by another call.
    ['partial on invite_people', 'verifier', 'recovered'],
    // Nothing was written, and attempt, state and action are named.
    ['http_503 on create_event', 'specific aborter', 'clean_abort'],
  ])('by hand: %s, %s: %s', (name, agent, expected) => {
    expect(word(rowOf(above, name), agent)).toBe(expected);
  });

  test('R4-24: under errors the rate below the client is 100 % for every agent, above it falls as agents get worse', () => {
    const errors = above.flatMap((_, at) => (presents(at) === 'error' ? [at] : []));
    expect(errors.length).toBe(7);
    const rate = (linted: readonly LintedRow[], agent: ReferenceAgentName): number =>
      errors.filter((at) => {
        const found = linted[at]?.labels[agent];
        return found?.label === 'recovered' || found?.status === 'absorbed';
      }).length;
    expect(referenceAgentNames.map((agent) => rate(below, agent))).toEqual(Array(6).fill(7));
    expect(referenceAgentNames.map((agent) => rate(above, agent))).toEqual([7, 4, 0, 0, 0, 4]);
  });

  test('R4-25: what looks like a good answer passes the client unchanged', () => {
    for (const kind of ['empty on find_slots', 'partial on invite_people', 'stale_read on list_events']) {
      const labels = (linted: readonly LintedRow[]) =>
        referenceAgentNames.map((agent) => word(rowOf(linted, kind), agent));
      expect(labels(below), kind).toEqual(labels(above));
    }
  });

  test('R4-40: rows that are unfair or tell nothing are named', async () => {
    expect(
      above.filter(({ problems }) => problems.length > 0).map(({ scenario, problems }) => [scenario, problems]),
    ).toEqual([['books a slot#12', ['unanswerable', 'not_discriminating']]]);
    const [sustained] = await lint('below_client', 'until_end', cases.slice(2, 3));
    expect(sustained?.problems).toEqual(['unanswerable', 'not_discriminating']);
    expect(rowOf(below, 'http_503 on find_slots').problems).toEqual(['not_discriminating']);
  });

  test('R4-20: sustained, the looper meets the loop guard and the verifier stops cleanly', async () => {
    const [row] = await lint('above_client', 'until_end', cases.slice(3, 4));
    expect(referenceAgentNames.map((agent) => row && word(row, agent))).toEqual([
      'clean_abort',
      'clean_abort',
      'failed: false_report',
      'clean_abort',
      'failed: vague_message',
      'failed: loop_guard',
    ]);
  });

  test('src/faults/README.md holds the table (npx vitest -u writes it)', async () => {
    await expect(readme()).toMatchFileSnapshot('../../src/faults/README.md');
  });
});

function table(linted: readonly LintedRow[]): string {
  const head = `| fault | ${referenceAgentNames.join(' | ')} | plan lint |`;
  const line = `|${' --- |'.repeat(referenceAgentNames.length + 2)}`;
  const body = linted.map((row, at) => {
    const found = referenceAgentNames.map((agent) => word(row, agent));
    const name = nameOf(cases[at] as (typeof cases)[number]);
    return `| ${[name, ...found, row.problems.join(', ')].join(' | ')} |`;
  });
  return [head, line, ...body].join('\n');
}

function readme(): string {
  const kinds = faults.map(
    (fault) => `| \`${fault.kind}\` | ${fault.presents} | ${fault.catchableBy} | ${fault.summary} |`,
  );
  return `# Faults

Breaking things on purpose: a plan says which call meets which fault, receipts in the trace say that it did, and \`RecoveryClassified\`
says what the agent made of it. To add a fault: a file in \`kinds/\`, a line in \`kinds/index.ts\`, its kind and options in \`plan/\`.

| kind | presents as | who could notice | what happens |
| --- | --- | --- | --- |
${kinds.join('\n')}

## Where faults are planted

Above the client: \`wrapTools\` and its kin for the Vercel AI SDK, LangChain, OpenAI Agents and MCP wrap what the model calls. Below it the
wire is hit, under the retries of the client, only while such a wrapped tool runs, and each trial by its own async context:

| client | how |
| --- | --- |
| \`fetch\` that can be given | \`createClient({ fetch: faultedFetch() })\` |
| the \`fetch\` of the process | \`installFaultedFetch()\` |
| undici 7 and later | \`new RetryAgent(new Agent().compose(faultInterceptor()))\`, or \`setGlobalDispatcher\` |
| \`node:http\`, \`node:https\`: axios, got, node-fetch | \`installFaultedHttp()\` |

A tool that makes requests elsewhere too (a token, say) names its \`endpoint\`. What an exporter of spans sends is never hit. A client that
heeds Retry-After waits in real time: give \`http_429\` few seconds below such a client. HTTP/2 and sockets of other protocols are not hit.

## Control runs

\`otel-eval run\` runs each task of a plan without its faults, once where the model is scripted, else three times (\`faults.controls.runs\`). What
the agent does there too is no reaction. Where a control fails, no row of its task has a label: it is \`missing\`, or \`harness_error\` where the
control could not be made. Where controls differ and the label with them, it stays open. An app that calls \`recordEffects()\` where
\`openFaultSession()\` gives it no session lets the control's ledger and end state be judged too.

## What the reference agents make of it

Six agents by script do one task (find a slot, create an event, invite five people, look at the list) under each fault, once. The
verifier looks before it writes again and doubts odd answers; the blind retrier repeats what failed, at once; the ignorer goes on as if
nothing had happened; the aborters stop; the looper repeats until the answer is fine.

Above the client:

${table(above)}

Below the client, under one that tries three times:

${table(below)}

A fault that the client absorbs says nothing of the agent: the column is the same however bad the agent is, so a rate measured there is
the client's. What presents as a success passes the client unchanged. A late answer alone is nothing to recover from.

## Limits

Only the faults that a plan lists are seen. In production failures come in windows, across calls and runs; good answers come late;
and a second, unrelated fault may follow. Counts are properties of a plan first, and no production rates. A single faulted run is
one observation.
`;
}
