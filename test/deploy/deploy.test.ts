import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const deploy = resolve(import.meta.dirname, '../../deploy');

interface Service {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

type Manifest = Readonly<Record<string, unknown>> & { readonly kind: string };

function documents<T>(path: string): T[] {
  return parseAllDocuments(readFileSync(join(deploy, path), 'utf8'), { strict: true, uniqueKeys: true }).map(
    (document) => {
      expect([path, document.errors, document.warnings]).toEqual([path, [], []]);
      return document.toJS() as T;
    },
  );
}

const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));

test('every YAML file parses, without a tab, a repeated key or a secret', () => {
  expect(files.length).toBeGreaterThan(7);
  for (const file of files) {
    expect([file, documents(file).length > 0]).toEqual([file, true]);
    const text = readFileSync(join(deploy, file), 'utf8');
    expect([file, /\t|glsa_|password: (?!\$)\S/i.test(text)]).toEqual([file, false]);
  }
});

const ways = {
  'tempo-grafana': { tempo: [], 'traces-owner': [], collector: [4317, 4318], grafana: [3000] },
  jaeger: { jaeger: [], collector: [4317, 4318], gate: [8686] },
} as const;

describe.each(Object.entries(ways))('the stack %s', (stack, ports) => {
  const [compose] = documents<Compose>(`${stack}/compose.yaml`) as [Compose];

  test('publishes the collector and the reader that asks for a credential, on the loopback only', () => {
    const published = Object.entries(compose.services).map(([name, service]) => [
      name,
      (service.ports ?? []).map((port) => {
        const [host, outside] = port.split(':');
        expect(host).toBe('127.0.0.1');
        return Number(outside);
      }),
    ]);
    expect(Object.fromEntries(published)).toEqual(ports);
  });

  test('keeps what stores traces on a network without a way out', () => {
    expect(compose.networks['inner']?.internal).toBe(true);
    for (const name of ['tempo', 'jaeger']) {
      if (name in compose.services) expect(compose.services[name]?.networks).toEqual(['inner']);
    }
  });

  test('names a version of every image', () => {
    for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:\d+(\.\d+)*(-[a-z]+)?$/);
  });

  const version = spawnSync('docker-compose', ['version'], { encoding: 'utf8' });
  const skip = version.status !== 0;
  test.skipIf(skip)(skip ? 'docker-compose config (docker-compose is not installed)' : 'docker-compose config', () => {
    const folder = mkdtempSync(join(tmpdir(), 'otel-eval-compose-'));
    for (const name of readdirSync(join(deploy, stack))) {
      if (!name.startsWith('.')) writeFileSync(join(folder, name), readFileSync(join(deploy, stack, name)));
    }
    const env = { ...process.env, GRAFANA_ADMIN_PASSWORD: 'made-up' };
    const checked = spawnSync('docker-compose', ['config', '--quiet'], { cwd: folder, env, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
  });
});

test('Grafana lets nobody in without a credential', () => {
  const [compose] = documents<Compose>('tempo-grafana/compose.yaml') as [Compose];
  expect(compose.services['grafana']?.environment).toMatchObject({
    GF_AUTH_ANONYMOUS_ENABLED: 'false',
    GF_USERS_ALLOW_SIGN_UP: 'false',
    GF_SECURITY_ADMIN_PASSWORD: expect.stringMatching(/^\$\{GRAFANA_ADMIN_PASSWORD:\?/),
  });
});

test('Tempo is set up for the long attributes of agents', () => {
  const [tempo] = documents('tempo-grafana/tempo.yaml');
  expect(tempo).toMatchObject({
    distributor: { max_attribute_bytes: 0 },
    query_frontend: { query_end_cutoff: '0s' },
    overrides: { defaults: { global: { max_bytes_per_trace: 50_000_000 } } },
  });
});

test('Kubernetes: a collector inside the cluster, and an indexed Job of shards', () => {
  const kinds = documents<Manifest>('kubernetes/collector.yaml').map(({ kind }) => kind);
  expect(kinds).toEqual(['ConfigMap', 'Deployment', 'Service']);
  const services = documents<Manifest>('kubernetes/collector.yaml').filter(({ kind }) => kind === 'Service');
  expect(services.map(({ spec }) => (spec as { type: string }).type)).toEqual(['ClusterIP']);
  const [config] = documents<{ data: Record<string, string> }>('kubernetes/collector.yaml') as [
    { data: Record<string, string> },
  ];
  expect(parseAllDocuments(config.data['collector.yaml'] ?? '').map(({ errors }) => errors)).toEqual([[]]);
  const [job] = documents<{ spec: Record<string, unknown> }>('kubernetes/check-job.yaml') as [
    { spec: { completions: number; template: { spec: { containers: { args: string[] }[] } } } },
  ];
  expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: 4, parallelism: 4 });
  const command = job.spec.template.spec.containers[0]?.args[0] ?? '';
  expect(command).toContain(`--shard "$((JOB_COMPLETION_INDEX + 1))/${job.spec.completions}"`);
});

test('the README names every folder and every file it speaks of', () => {
  const text = readFileSync(join(deploy, 'README.md'), 'utf8');
  for (const [, path = ''] of text.matchAll(/deploy\/([\w./-]+)/g)) {
    expect([path, existsSync(join(deploy, path))]).toEqual([path, true]);
  }
  for (const folder of readdirSync(deploy).filter((name) => !name.includes('.'))) expect(text).toContain(`${folder}/`);
});
