import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../src/cli/commands.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly 'timeout-minutes'?: number;
  readonly with?: Record<string, unknown>;
}
interface Job {
  readonly 'timeout-minutes'?: number;
  readonly environment?: string;
  readonly needs?: string;
  readonly env?: Record<string, string>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

const folder = resolve(import.meta.dirname, '../../deploy/ci');
const files = ['every-change.yml', 'nightly.yml', 'before-upload.yml'];
const read = (file: string): Workflow => parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
const steps = (workflow: Workflow): Step[] => Object.values(workflow.jobs).flatMap((job) => [...job.steps]);
const scripts = (workflow: Workflow): string =>
  steps(workflow)
    .map(({ run = '' }) => run.replace(/\\\n\s*/g, ' '))
    .join('\n');

describe.each(files)('%s', (file) => {
  const workflow = read(file);

  test('every job and every step has a time limit', () => {
    for (const [name, job] of Object.entries(workflow.jobs)) {
      expect([name, typeof job['timeout-minutes']]).toEqual([name, 'number']);
      for (const step of job.steps) {
        expect([step.name ?? step.uses, typeof step['timeout-minutes']]).toEqual([step.name ?? step.uses, 'number']);
      }
    }
  });

  test('reports are kept for 14 days, also of a red run; the token may read and no more', () => {
    const kept = steps(workflow).filter(({ uses = '' }) => uses.startsWith('actions/upload-artifact'));
    expect(kept.length).toBeGreaterThan(0);
    for (const step of kept) expect(step.with?.['retention-days']).toBe(14);
    expect(kept.some((step) => step.if === 'always()')).toBe(true);
    expect(new Set(Object.values(workflow.permissions))).toEqual(new Set(['read']));
  });

  test('each command line of otel-eval has options that exist', async () => {
    const lines = [...scripts(workflow).matchAll(/otel-eval ([a-z]+) ([^|\n']*)/g)];
    expect(lines.length).toBeGreaterThan(0);
    for (const [, name = '', rest = ''] of lines) {
      const entry = commands.find((command) => command.name === name);
      const command = new Command(name);
      (await entry?.load())?.describe(command);
      const known = command.options.map(({ long }) => long);
      const used = [...rest.matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
      expect([name, used.filter((flag) => !known.includes(flag))]).toEqual([name, []]);
    }
  });

  test('no secret is written out, and no host but variables', () => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).not.toMatch(/https?:\/\//);
    for (const [, value] of text.matchAll(/(?:KEY|TOKEN|PASSWORD)\w*: (.*)/g))
      expect(value).toMatch(/^\$\{\{ secrets\./);
  });
});

describe('what each gate is for', () => {
  test('every change: pull requests and main, the network denied, no secrets', () => {
    const workflow = read('every-change.yml');
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
    expect(scripts(workflow)).toContain('unshare --net');
    expect(JSON.stringify(workflow)).not.toContain('secrets.');
    expect(scripts(workflow)).toContain('--profile fast');
  });

  test('nightly: 08:00 UTC or by hand, protected, never on a pull request, pinned, at most three tries', () => {
    const workflow = read('nightly.yml');
    expect(workflow.on).toEqual({ schedule: [{ cron: '0 8 * * *' }], workflow_dispatch: null });
    const live = Object.values(workflow.jobs).filter((job) => JSON.stringify(job).includes('secrets.'));
    expect(live.map(({ environment }) => environment)).toEqual(['live-evaluation']);
    expect(live[0]?.env).toMatchObject({
      AGENT_TEMPERATURE: '0',
      AGENT_MODEL: expect.stringMatching(/^\$\{\{ vars\.AGENT_MODEL \}\}$/),
      AGENT_API_BASE: expect.stringMatching(/^\$\{\{ vars\.AGENT_API_BASE \}\}$/),
    });
    expect(scripts(workflow)).toContain('for try in 1 2 3;');
    const gate = steps(workflow).find(({ name }) => name === 'gate');
    // Its exit code is the step's: neither FAIL nor INSUFFICIENT_EVIDENCE is let by.
    expect(gate?.run).not.toContain('||');
  });

  test('before upload: the tested artifact and no other, outages not let by', () => {
    const workflow = read('before-upload.yml');
    const names = Object.values(workflow.jobs).map(({ steps: own }) => own.map(({ name }) => name).filter(Boolean));
    const [evaluate = [], upload = []] = names;
    expect(evaluate.indexOf('record its SHA-256')).toBeLessThan(evaluate.indexOf('evaluate'));
    expect(upload).toEqual(['verify the SHA-256 again', 'upload']);
    expect(workflow.jobs['upload']?.needs).toBe('evaluate');
    const gate = steps(workflow).find(({ name }) => name === 'gate');
    expect(gate?.run).toContain('--artifact "package/$ARTIFACT"');
    expect(gate?.run).not.toContain('||');
    expect(steps(workflow).some(({ run = '' }) => /npm (run build|pack)/.test(run))).toBe(false);
  });
});
