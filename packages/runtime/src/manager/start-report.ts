import { createRequire } from 'node:module';
import { isUnauthorized } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import { errorMessage } from '../errors/error-message.ts';
import { NamespaceList } from '../cache/namespace-list.ts';
import { type NamespaceSelection, isLabeled, selectorTextOf } from '../cache/namespace-selection.ts';
import type { Logger } from '../logging/logger.ts';
import { isConnectionError } from '../errors/connection-error.ts';
import type { ManagerOptions } from './manager-options.ts';

/** What a manager runs. */
export interface StartedParts {
  controllers: readonly string[];
  /** Their paths. */
  webhooks: readonly string[];
}

/** In milliseconds. A working server responds sooner, and one that drops packets never does. */
const connectTimeout = 10_000;
const require = createRequire(import.meta.url);

/** Logs what starts, where and as which user: the first line of an operator's log. */
export function reportStart(logger: Logger, options: ManagerOptions, parts: StartedParts): void {
  const { connection, userAgent, cache, webhooks } = options;
  logger.info(
    {
      operator: userAgent,
      runtime: runtimeVersion(),
      node: process.version,
      server: connection.server,
      context: connection.context,
      namespaces: namespacesText(cache?.namespaces),
      controllers: parts.controllers,
      webhooks: webhooks ? parts.webhooks : [],
    },
    'the manager is starting',
  );
}

/**
 * Checks whether the API server is reachable by requesting its version. A role or a proxy may forbid that, so the status
 * of the response does not matter.
 * @throws {ConnectionError} when it is not reachable. {ApiError} when it refuses the credentials. The signal's reason.
 */
export async function reportServer(
  logger: Logger,
  client: Pick<Client, 'raw'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const request = { path: '/version', timeout: connectTimeout, signal };
    const { gitVersion } = await client.raw<{ gitVersion?: string }>(request);
    logger.info({ kubernetes: gitVersion }, 'connected to the API server');
  } catch (error) {
    if (signal.aborted || isConnectionError(error) || isUnauthorized(error)) throw error;
    logger.debug({ reason: errorMessage(error) }, 'cannot read the version of the API server');
  }
}

function namespacesText(selection: NamespaceSelection | undefined): string | readonly string[] {
  if (selection === undefined) return 'all';
  if (selection instanceof NamespaceList) return [...selection.names];
  return isLabeled(selection) ? `labels ${selectorTextOf(selection)}` : selection;
}

/** Undefined in a program that is bundled into one file. */
function runtimeVersion(): string | undefined {
  try {
    return (require('ots-runtime/package.json') as { version: string }).version;
  } catch {
    return undefined;
  }
}
