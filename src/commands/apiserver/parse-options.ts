import type { ApiServerOptions, Controllers } from 'ots-apiserver';
import { selectControllers } from 'ots-apiserver';
import { closestName } from 'ots-apimachinery/closest-name';
import type { CommonOptions } from '../../common-options.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { isToken } from './read-users.ts';
import { controllerOptions, controllerNames } from './controller-names.ts';

/** As many as `TestEnvironment` starts. */
const maxNodes = 1000;

/** The flags of `ots apiserver`. */
export interface ApiServerCommandOptions extends CommonOptions {
  port?: string;
  host?: string;
  kubeconfig?: string;
  crds?: string[];
  /** `true` for the flag without a value. */
  controllers?: string | true;
  tls?: boolean;
  token?: string;
  users?: string;
  service?: string[];
  serviceCa?: string;
  data?: string;
  /** `true` for the flag without a value. */
  workloads?: string | true;
}

/**
 * Parses the flags into options of the server.
 *
 * @throws {UsageError} for invalid values, and for an address that other machines can reach without credentials
 */
export function parseOptions(
  options: ApiServerCommandOptions,
): ApiServerOptions & { controllers: Controllers } {
  const { host = '127.0.0.1', users, tls = users !== undefined, token } = options;
  const controllers = parseControllers(options.controllers ?? true);
  checkAccess({ ...options, tls }, host);
  return {
    host,
    tls,
    port: parsePort(options.port ?? '0'),
    controllers,
    // Pods need the ServiceAccount `default`, which only that controller creates.
    enableAdmissionPlugins: selectControllers(controllers).serviceAccounts ? ['ServiceAccount'] : [],
    ...(token !== undefined && { token }),
  };
}

function checkAccess({ token, tls, users, kubeconfig, dryRun }: ApiServerCommandOptions, host: string): void {
  if (!isLoopback(host) && !tls) {
    throw new UsageError('OPEN_ADDRESS', `Other machines can reach ${oneLine(host)}`, {
      hint: 'Add --tls and --kubeconfig FILE: the server then requires credentials, which are only in that file.',
    });
  }
  if (token !== undefined && !isToken(token)) {
    throw new UsageError(
      'INVALID_TOKEN',
      'The token is empty or has characters that an HTTP header cannot contain',
      {
        hint: 'Use letters and digits, or omit --token: the kubeconfig then has a client certificate.',
      },
    );
  }
  if (token !== undefined && !tls) {
    throw new UsageError(
      'TOKEN_WITHOUT_TLS',
      '--token needs --tls: kubectl does not send a token over plain HTTP',
      { hint: 'Add --tls or omit --token.' },
    );
  }
  if (tls && token === undefined && users === undefined && kubeconfig === undefined && !dryRun) {
    throw new UsageError(
      'CREDENTIALS_WITHOUT_FILE',
      '--tls creates a client certificate, and no kubeconfig would contain it',
      {
        hint: 'Add --kubeconfig FILE, or choose a token with --token.',
      },
    );
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError('INVALID_PORT', `${JSON.stringify(text)} is not a port`, {
    hint: 'Use a number from 1 to 65535, or omit --port to use a free port.',
  });
}

/**
 * Parses `--workloads`.
 *
 * @param value the number of nodes; `true` for the flag without a value, which is 1
 * @returns the number of simulated nodes; null without workloads
 * @throws {UsageError} for what is not a number of nodes
 */
export function parseNodes(value: string | true | undefined): number | null {
  if (value === undefined) return null;
  const nodes = value === true ? 1 : Number(value);
  if (value === true || (/^\d+$/.test(value) && nodes <= maxNodes)) return nodes;
  throw new UsageError('INVALID_NODES', `${JSON.stringify(value)} is not a number of nodes`, {
    hint: `Use a number from 0 to ${maxNodes}, or omit it for one node.`,
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
  return new UsageError('UNKNOWN_CONTROLLER', `${JSON.stringify(name)} is not a controller`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Name one or more of ${controllerNames.join(', ')}, or use all or none.`,
  });
}
