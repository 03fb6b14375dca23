import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { ServerAddress } from './server-address.ts';

export interface DispatcherOptions {
  /** Connections to the server at most. */
  readonly connections: number;
  /** PEM text of the authority that signed the server's certificate; the system's where absent. */
  readonly ca?: string;
  /** Read for `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (either case). */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** One pool of connections, through the proxy that the environment names; this machine itself is never proxied. */
export function dispatcherTo(address: ServerAddress, options: DispatcherOptions): Dispatcher {
  const { connections, ca, environment = {} } = options;
  const agentOptions = { connections, pipelining: 1, ...(ca === undefined ? {} : { connect: { ca } }) };
  const proxy = proxyFor(address.secure ? 'HTTPS_PROXY' : 'HTTP_PROXY', environment);
  if (proxy === '' || address.loopback) return new Agent(agentOptions);
  return new EnvHttpProxyAgent({
    ...agentOptions,
    ...(ca === undefined ? {} : { requestTls: { ca } }),
    // A proxy often forbids CONNECT to other ports than those of TLS.
    proxyTunnel: false,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: variable('NO_PROXY', environment),
  });
}

function proxyFor(name: string, environment: NonNullable<DispatcherOptions['environment']>): string {
  const value = variable(name, environment);
  if (value === '' || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `expected an address like http://proxy.example:3128 in the variable ${name}, got another text`,
    { source: name, hint: 'NO_PROXY lists the hosts that are reached without it.' },
  );
}

function variable(name: string, environment: NonNullable<DispatcherOptions['environment']>): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? '';
}
