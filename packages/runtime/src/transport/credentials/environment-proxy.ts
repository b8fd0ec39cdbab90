import { BlockList, isIP } from 'node:net';
import { ConnectionConfigError } from '../../kubeconfig/connection-config.ts';
import { isProxyUrl } from '../../kubeconfig/conflict-in.ts';

type Environment = Record<string, string | undefined>;

/**
 * Returns the proxy for this server from the environment, by the rules of Go's `http.ProxyFromEnvironment`, or
 * undefined: `HTTPS_PROXY` for https and `HTTP_PROXY` for http, in upper or lower case, unless the host is local or
 * `NO_PROXY` matches it.
 * @param server an http or https URL.
 * @throws {ConnectionConfigError} when the variable is not the URL of a proxy.
 */
export function environmentProxy(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const isSecure = url.protocol === 'https:';
  const name = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(env, name);
  if (!proxy) return undefined;
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (isSecure ? '443' : '80');
  if (isLocal(host) || isExcepted(host, port, variable(env, 'NO_PROXY'))) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (isProxyUrl(address)) return address;
  // Do not quote it: it may contain a password.
  throw new ConnectionConfigError(
    `The environment variable ${name} is not an http, https or socks5 URL`,
    'Correct it, or name the server in NO_PROXY.',
  );
}

function variable(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || '';
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isExcepted(host: string, port: string, exceptions: string): boolean {
  return exceptions
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .some((each) => each !== '' && matches(host, port, each));
}

/** @param exception `*`, an address, a range of addresses, a domain, or a domain's subdomains (`.example.com`). */
function matches(host: string, port: string, exception: string): boolean {
  if (exception === '*') return true;
  if (exception.includes('/')) return isInRange(host, exception);
  const withPort = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]+)):(?<port>\d+)$/.exec(exception)?.groups;
  if (withPort && withPort['port'] !== port) return false;
  const wanted = withPort?.['v6'] ?? withPort?.['name'] ?? exception.replaceAll(/^\[|\]$/g, '');
  if (isIP(wanted) > 0) return isInRange(host, `${wanted}/${isIP(wanted) === 4 ? 32 : 128}`);
  if (wanted.startsWith('.')) return host.endsWith(wanted);
  return wanted.startsWith('*.')
    ? host.endsWith(wanted.slice(1))
    : host === wanted || host.endsWith(`.${wanted}`);
}

function isInRange(host: string, range: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = isIP(network);
  const bits = Number(prefix);
  if (family === 0 || family !== isIP(host) || !/^\d+$/.test(prefix) || bits > (family === 4 ? 32 : 128))
    return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
