import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
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
  const variable = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const agentOptions = { connections, pipelining: 1, ...(ca === undefined ? {} : { connect: { ca } }) };
  const proxied = variable(address.secure ? 'HTTPS_PROXY' : 'HTTP_PROXY') !== '';
  if (!proxied || address.loopback) return new Agent(agentOptions);
  return new EnvHttpProxyAgent({
    ...agentOptions,
    ...(ca === undefined ? {} : { requestTls: { ca } }),
    httpProxy: variable('HTTP_PROXY'),
    httpsProxy: variable('HTTPS_PROXY'),
    noProxy: variable('NO_PROXY'),
  });
}
