import type { ListenOptions } from '../server/listener.ts';
import { FlagError } from './read-flags.ts';

/**
 * Parses an address to listen on: `:8080` for all addresses, `host:8080`, `[::1]:8080`; false for `0`, which turns a
 * server off.
 * @param flag the name of the flag, for messages.
 * @throws {FlagError} for any other value.
 */
export function bindAddress(flag: string, address: string): ListenOptions | false {
  if (address === '0' || address === '') return false;
  const match = /^(?:\[(?<six>[^\]]+)\]|(?<host>[^:[\]]*)):(?<port>\d+)$/.exec(address);
  const { six, host, port } = match?.groups ?? {};
  if (port === undefined) {
    throw new FlagError(
      `${flag} is ${JSON.stringify(address)}`,
      'Use :port, host:port or [IPv6 address]:port; 0 turns the server off.',
    );
  }
  const name = six ?? host;
  return { port: portNumber(flag, port), ...(name ? { host: name } : {}) };
}

/** @throws {FlagError} when it is not a number from 0 to 65535. */
export function portNumber(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new FlagError(`${flag} has the port ${JSON.stringify(text)}`, 'Use a number from 0 to 65535.');
}
