import { hostname, networkInterfaces } from 'node:os';

const wildcards = new Set(['0.0.0.0', '::']);

/** The names and addresses of a server that listens on a host. */
export function serverNames(host: string): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const names = ['localhost', '127.0.0.1', '::1', hostname(), 'kubernetes.default.svc'];
  const own = wildcards.has(host) ? addresses.map(({ address }) => address) : [host];
  return [...new Set([...names, ...own])];
}

/** The URL for clients on the same machine: the loopback address if the server listens on all addresses. */
export function reachableHost(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
