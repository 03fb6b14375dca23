import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { certificate } from '../collectors/http/certificate.ts';
import { ProxyServer } from '../collectors/http/proxy-server.ts';
import { ReplayServer } from '../collectors/replay-server.ts';
import { tempoAnswer } from '../collectors/tempo-answer.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const folder = scratchFolder();
afterAll(folder.remove);

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

const authority = certificate({ name: 'an authority for tests' });
const another = certificate({ name: 'another authority' });
const hosts = ['127.0.0.1', '0.0.0.0', 'tempo.test'];

const whole = () => tempoAnswer(new StampedProcess().run(id(1)).exported);

async function server(secured?: ReturnType<typeof certificate>): Promise<ReplayServer> {
  const tls = secured === undefined ? undefined : { key: secured.keyPem, cert: secured.certificatePem };
  const started = await ReplayServer.start(whole, tls);
  running.push(started);
  return started;
}

async function proxyTo({ url }: ReplayServer, refuses?: number): Promise<ProxyServer> {
  const port = Number(new URL(url).port);
  const proxy = await ProxyServer.start({ targetPort: port, ...(refuses === undefined ? {} : { refuses }) });
  running.push(proxy);
  return proxy;
}

function file(name: string, text: string): string {
  const path = folder.file(name);
  writeFileSync(path, text);
  return path;
}

async function check(url: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const source = ['--trace-source', 'tempo', '--url', url, '--trace-id', '0af7651916cd43dd8448eb211c80319c'];
  const limits = ['--deadline', '30s', '--settle', '0s', '--assert', 'ExecutionTraceJoined'];
  const { code, stderr } = await runCli(['check', ...source, ...limits, ...args], { env });
  return { code, stderr: stderr.replaceAll(url, 'URL').replaceAll(folder.path, 'FOLDER') };
}

const untrusted = (code: string, hint = 'Give the authority that signed it with --ca FILE.') =>
  `otel-eval: URL: its certificate is not trusted (${code}); ${hint}\n`;

describe('TLS', () => {
  test('a server whose authority is given with --ca, or in a variable', async () => {
    const { url } = await server(certificate({ name: 'server', issuer: authority, hosts }));
    const ca = file('ca.pem', authority.certificatePem);
    expect(await check(url, ['--ca', ca])).toEqual({ code: 0, stderr: '' });
    expect(await check(url, [], { OTEL_EVAL_CA: ca })).toEqual({ code: 0, stderr: '' });
    const both = file('both.pem', another.certificatePem + authority.certificatePem);
    expect(await check(url, ['--ca', both])).toEqual({ code: 0, stderr: '' });
  });

  test('is refused without it, with another one, under another name and after its time', async () => {
    const signed = certificate({ name: 'server', issuer: authority, hosts });
    const { url } = await server(signed);
    expect(await check(url)).toEqual({ code: 2, stderr: untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE') });
    const wrong = ['--ca', file('wrong.pem', another.certificatePem)];
    expect(await check(url, wrong)).toEqual({ code: 2, stderr: untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE') });
    const ca = ['--ca', file('ca.pem', authority.certificatePem)];
    const elsewhere = await server(certificate({ name: 'server', issuer: authority, hosts: ['10.0.0.1'] }));
    expect(await check(elsewhere.url, ca)).toEqual({
      code: 2,
      stderr: untrusted(
        'ERR_TLS_CERT_ALTNAME_INVALID',
        'It is for another host: give --url with a name that stands in it.',
      ),
    });
    const notAfter = new Date(Date.now() - 86_400_000);
    const old = await server(certificate({ name: 'server', issuer: authority, hosts, notAfter }));
    expect(await check(old.url, ca)).toEqual({
      code: 2,
      stderr: untrusted(
        'CERT_HAS_EXPIRED',
        'It has expired: renew it on the server, or set the clock of this machine.',
      ),
    });
    expect(running.flatMap((each) => (each as ReplayServer).requests)).toEqual([]);
  });

  test('http where it is https, and https where it is http', async () => {
    const plain = await server();
    const mixed = await check(plain.url.replace('http:', 'https:'));
    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      expect.stringMatching(/^otel-eval: URL: expected HTTP, got something else \(\w+\); Check http or https/),
    ]);
    const secure = await server(certificate({ name: 'server', issuer: authority, hosts }));
    expect((await check(secure.url.replace('https:', 'http:'), ['--deadline', '300ms'])).code).toBe(3);
  });

  test('a file that is no certificate is refused before anything is asked', async () => {
    const { url } = await server(certificate({ name: 'server', issuer: authority, hosts }));
    const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    for (const text of ['', 'no certificate', damaged, authority.keyPem, authority.certificatePem + damaged]) {
      expect(await check(url, ['--ca', file('bad.pem', text)])).toEqual({
        code: 2,
        stderr: 'otel-eval: expected a certificate in PEM in FOLDER/bad.pem, got none\n',
      });
    }
    expect(await check(url, ['--ca', folder.file('absent.pem')])).toEqual({
      code: 2,
      stderr: 'otel-eval: cannot read FOLDER/absent.pem: ENOENT\n',
    });
  });
});

describe('proxies', () => {
  const named = (url: string) => url.replace('127.0.0.1', 'tempo.test');

  test('HTTP_PROXY takes plain requests, with its own credentials', async () => {
    const tempo = await server();
    const proxy = await proxyTo(tempo);
    const url = named(tempo.url);
    const secret = ['made', 'up'].join('-');
    expect(await check(url, [], { HTTP_PROXY: `http://me:${secret}@${proxy.address}` })).toEqual({
      code: 0,
      stderr: '',
    });
    expect(proxy.requests).toEqual([
      {
        line: `GET ${url}/api/v2/traces/0af7651916cd43dd8448eb211c80319c?span_pruning=false`,
        credentials: `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`,
      },
    ]);
    expect(
      (await check(url, [], { http_proxy: `http://${proxy.address}`, HTTP_PROXY: 'http://127.0.0.1:1' })).code,
    ).toBe(0);
  });

  test('HTTPS_PROXY is tunnelled through, and the certificate behind it is looked at', async () => {
    const tempo = await server(certificate({ name: 'server', issuer: authority, hosts }));
    const proxy = await proxyTo(tempo);
    const url = named(tempo.url);
    const env = { HTTPS_PROXY: `http://${proxy.address}` };
    expect(await check(url, ['--ca', file('ca.pem', authority.certificatePem)], env)).toEqual({ code: 0, stderr: '' });
    expect(proxy.requests).toEqual([{ line: `CONNECT ${new URL(url).host}`, credentials: undefined }]);
    expect(await check(url, [], env)).toEqual({ code: 2, stderr: untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE') });
  });

  test('NO_PROXY and this machine itself go past it', async () => {
    const tempo = await server();
    const proxy = await proxyTo(tempo);
    const env = { HTTP_PROXY: `http://${proxy.address}` };
    expect((await check(tempo.url, [], env)).code).toBe(0);
    const anyAddress = tempo.url.replace('127.0.0.1', '0.0.0.0');
    expect((await check(anyAddress, [], { ...env, NO_PROXY: 'other.test, 0.0.0.0' })).code).toBe(0);
    expect(proxy.requests).toEqual([]);
    expect((await check(anyAddress, [], { ...env, NO_PROXY: 'other.test' })).code).toBe(0);
    expect(proxy.requests.length).toBe(1);
  });

  test.each([
    ['http', 'HTTP_PROXY'],
    ['https', 'HTTPS_PROXY'],
  ])('that refuse: no access at once, 5xx until the deadline (%s)', async (scheme, variable) => {
    const tempo = await server();
    const url = named(tempo.url).replace('http', scheme);
    for (const status of [407, 403]) {
      const proxy = await proxyTo(tempo, status);
      const { code, stderr } = await check(url, [], { [variable]: `http://${proxy.address}` });
      expect([status, code, stderr]).toEqual([status, 2, expect.stringContaining(`(HTTP ${status})`)]);
    }
    const broken = await proxyTo(tempo, 502);
    const { code, stderr } = await check(url, ['--deadline', '5s'], { [variable]: `http://${broken.address}` });
    expect([code, stderr]).toEqual([3, expect.stringContaining('HTTP 502')]);
  });

  test('an address that is none is refused by the name of its variable, without showing it', async () => {
    for (const value of ['proxy:3128', 'socks5://127.0.0.1:1080', '127.0.0.1:3128', 'secret']) {
      expect(await check('http://tempo.test:3200', [], { HTTP_PROXY: value })).toEqual({
        code: 2,
        stderr:
          'otel-eval: expected an address like http://proxy.example:3128 in the variable HTTP_PROXY, got another text; NO_PROXY lists the hosts that are reached without it.\n',
      });
    }
  });
});
