/** `127.0.0.1`, `localhost`, `::1`: names that only this machine can mean. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * The `Host` header of a request that was meant for us. A page elsewhere may point a name of its own at this machine (DNS
 * rebinding) and would then read what we serve; its name stands in the header.
 */
export function isLoopbackHeader(header: string | undefined): boolean {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return isLoopback((bracketed ?? plain ?? '').toLowerCase());
}
