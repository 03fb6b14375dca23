// What the installed package can do with nothing beside it: no provider, no network, no variable of the environment.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { packedProject } from './packed-project.mjs';

let project;
before(() => {
  project = packedProject();
});
after(() => project.remove());

/** Whoever reaches for the network ends the process. */
const tripwire = `
import dns from 'node:dns';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
const trip = (what) => () => { console.error('network: ' + what); process.exit(86); };
net.Socket.prototype.connect = trip('connect');
dns.lookup = trip('lookup');
dns.promises.lookup = trip('lookup');
syncBuiltinESMExports();
globalThis.fetch = trip('fetch');
`;

const script = `
import { agentRun, modelCall, toolCall } from 'otel-eval/instrument';
import { runCore227Trial, trialText } from 'otel-eval/faults';
import { recordTraces } from 'otel-eval/testing';

const turns = JSON.parse(process.argv[2]);
const traces = recordTraces();
const record = async (work) => {
  const { run, traces: own, value } = await traces.record(work);
  const source = { kind: 'memory', acceptsSettled: false, beforeDeadline: false };
  return { value, view: { run, traces: own, source, remoteRoot: false, digest: () => null, unselected: [] } };
};
const subject = {
  route: 'native',
  controls: { maxTokens: 256, maxRetries: 0, cache: false, callbacks: null, modelRounds: 4 },
  createModel: (guard) => guard,
  construct: (guard, tools) => () =>
    agentRun({ name: 'native', instrumented: 'all' }, async () => {
      const messages = [];
      for (const [at, turn] of turns.entries()) {
        guard.before();
        const id = 'c' + at;
        const [name, args] = turn;
        const part = args === undefined ? { type: 'text', content: name } : { type: 'tool_call', id, name, arguments: args };
        const output = [{ role: 'assistant', parts: [part] }];
        await modelCall({ model: 'scripted-1', provider: 'scripted', input: [...messages] }, async (response) => {
          response({ output, finishReasons: [args === undefined ? 'stop' : 'tool_calls'] });
        });
        messages.push(...output);
        if (args === undefined) return;
        let response;
        try {
          response = await toolCall({ name, callId: id, arguments: args }, async () => tools[name](args));
        } catch (error) {
          response = { error: String(error) };
        }
        messages.push({ role: 'tool', parts: [{ type: 'tool_call_response', id, response }] });
      }
    }),
};
const outcome = await runCore227Trial(subject, { evidenceLevel: 'scripted_model', record });
process.stdout.write(trialText(outcome));
const live = await runCore227Trial(subject, { evidenceLevel: 'live_n1', record });
process.stdout.write(trialText(live));
await traces.close();
process.exitCode = outcome.status === 'judged' && outcome.report.passed ? 0 : 1;
`;

function offline(name, source, ...args) {
  const path = join(project.folder, name);
  writeFileSync(path, source);
  const wire = join(project.folder, 'tripwire.mjs');
  writeFileSync(wire, tripwire);
  return spawnSync(process.execPath, ['--import', wire, path, ...args], {
    cwd: project.folder,
    encoding: 'utf8',
    env: {},
  });
}

const read = ['read_value', {}];
const record = ['record_value', { value: 42 }];

describe('the installed package, offline', () => {
  test('R0-16, R0-33: CORE-227 by script passes, and a live trial without an approval is UNKNOWN', () => {
    const turns = JSON.stringify([read, read, record, ['42']]);
    const { status, stdout, stderr } = offline('offline-check.mjs', script, turns);
    assert.equal(stderr, '');
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines[0], 'passed (strict, scripted_model, counted at the chat boundary)');
    assert.ok(lines.includes('error observed   in request 2'), stdout);
    assert.equal(lines.at(-1), 'UNKNOWN: no provider is approved: nothing was asked');
    assert.equal(status, 0);
  });

  test('R0-16: a script that does not read again fails', () => {
    const { status, stdout } = offline('offline-check.mjs', script, JSON.stringify([read, record, ['42']]));
    assert.equal(status, 1, stdout);
    assert.match(stdout, /^failed \(strict/);
    assert.match(stdout, /the read was not tried again in a round that had seen its error/);
  });

  test('R0-16: the wire would have told', () => {
    const { status, stderr } = offline('reaches-out.mjs', "await fetch('http://model.test');");
    assert.deepEqual([status, stderr], [86, 'network: fetch\n']);
    const socket = offline('connects.mjs', "import net from 'node:net'; net.connect(9, '127.0.0.1');");
    assert.deepEqual([socket.status, socket.stderr], [86, 'network: connect\n']);
  });

  test('R0-33: the command line checks a fault plan with its scripted agents', () => {
    const suite = {
      schema: 'otel-eval/suite/v1',
      name: 'refunds',
      target: { command: ['node', 'no-such-agent.mjs'] },
      scenarios: [
        {
          name: 'refunds an order',
          steps: ['Refund ORD-1001.'],
          assertions: [{ ToolCalled: { match: { tool: 'issue_refund' } } }],
        },
      ],
      faults: {
        recovery: {
          budget: 'unlimited',
          effects: { refund_status: 'read' },
          verify: ['refund_status'],
          control: [{ tool: 'issue_refund', arguments: { order_id: 'ORD-1001' } }],
        },
        rows: [{ task: 'refunds an order', row: 'applied', tool: 'issue_refund', fault: 'timeout_but_applied' }],
      },
    };
    writeFileSync(join(project.folder, 'suite.json'), JSON.stringify(suite));
    writeFileSync(join(project.folder, 'tripwire.mjs'), tripwire);
    assert.ok(existsSync(project.cli));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', join(project.folder, 'tripwire.mjs'), project.cli, 'run', 'suite.json', '--plan', '--lint'],
      { cwd: project.folder, encoding: 'utf8', env: {} },
    );
    assert.equal(stderr, '');
    assert.match(
      stdout,
      /^refunds an order#applied\n {2}recovered {17}verifier\n {2}failed: duplicate_effect {2}blind retrier, looper\n/,
    );
    assert.match(stdout, /1 row, 0 to mend/);
    assert.equal(status, 0);
  });
});
