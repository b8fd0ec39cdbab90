import type { ApiServerOptions, Controllers } from 'ots-apiserver';
import { closestName } from 'ots-apimachinery/closest-name';
import type { CommonOptions } from '../../common-options.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { controllerOptions, controllerNames } from './controller-names.ts';

/** The flags of `ots apiserver`. */
export interface ApiServerCommandOptions extends CommonOptions {
  port?: string;
  host?: string;
  kubeconfig?: string;
  crds?: string[];
  /** `true` when the flag stands alone. */
  controllers?: string | true;
  tls?: boolean;
  token?: string;
}

/**
 * Reads how the server is to be started.
 *
 * @throws {UsageError} for values that do not exist, and for an address that others reach without anything to keep them out
 */
export function parseOptions(
  options: ApiServerCommandOptions,
): ApiServerOptions & { controllers: Controllers } {
  const { host = '127.0.0.1', tls = false, token } = options;
  checkAccess(options, host);
  return {
    host,
    tls,
    port: parsePort(options.port ?? '0'),
    controllers: parseControllers(options.controllers ?? true),
    ...(token !== undefined && { token }),
  };
}

function checkAccess({ token, tls, kubeconfig, dryRun }: ApiServerCommandOptions, host: string): void {
  if (!isLoopback(host) && !tls) {
    throw new UsageError('OPEN_ADDRESS', `${oneLine(host)} can be reached from other machines.`, {
      hint: 'Add --tls and --kubeconfig FILE: the server then asks for a token, which is in that file only.',
    });
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError('INVALID_TOKEN', 'The token is empty, or has characters that no header can carry.', {
      hint: 'Take letters and digits, or leave --token out: one is generated with --tls.',
    });
  }
  if (token !== undefined && !tls) {
    throw new UsageError(
      'TOKEN_WITHOUT_TLS',
      '--token needs --tls: kubectl sends no token over plain HTTP.',
      { hint: 'Add --tls, or leave --token out.' },
    );
  }
  if (tls && token === undefined && kubeconfig === undefined && !dryRun) {
    throw new UsageError('TOKEN_WITHOUT_FILE', 'There is no place for the token that is generated.', {
      hint: 'Add --kubeconfig FILE, where it is written, or choose a token with --token.',
    });
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError('INVALID_PORT', `${JSON.stringify(text)} is no port.`, {
    hint: 'A port is a number from 1 to 65535; without --port a free one is taken.',
  });
}

function parseControllers(value: string | true): Controllers {
  if (value === true || value === 'all') return true;
  if (value === 'none') return false;
  const names = value.split(',').map((name) => name.trim());
  for (const name of names) if (!controllerNames.includes(name)) throw unknownController(name);
  return Object.fromEntries(
    Object.entries(controllerOptions).map(([name, option]) => [option, names.includes(name)]),
  );
}

function unknownController(name: string): UsageError {
  const meant = closestName(name, controllerNames);
  return new UsageError('UNKNOWN_CONTROLLER', `There is no controller ${JSON.stringify(name)}.`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}There are ${controllerNames.join(', ')}; all and none.`,
  });
}
