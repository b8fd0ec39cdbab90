import type { Kind } from 'ots-kubernetes';
import { type Secret as SecretObject, Secret } from 'ots-kubernetes/core/v1';
import type { Cache } from '../cache/cache.ts';
import { type ConnectionConfig, ConnectionConfigError } from '../kubeconfig/connection-config.ts';
import { embeddedConfig } from '../kubeconfig/embedded-config.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import type { ClusterProviderContext, ClusterSet } from './cluster-provider.ts';

/** What the clusters are read from. */
export interface SecretSetsOptions {
  namespace: string;
  /** Selects the Secrets. */
  labelSelector: string;
  /** The field of a Secret that has the kubeconfig. */
  key: string;
  /** Another kind that says which clusters there are. */
  kind?: Kind | undefined;
}

/** Returns the connection in the kubeconfig of a Secret, or what is wrong with it. */
export type ReadConnection = (secret: DeepReadonly<SecretObject>) => Promise<ConnectionConfig | Error>;

/**
 * Yields the clusters that Secrets of the manager's own cluster describe, and again whenever one changes.
 * @param read finds the clusters in the cache.
 */
export async function* secretSets(
  { manager, signal }: ClusterProviderContext,
  options: SecretSetsOptions,
  read: (cache: Cache, connectionOf: ReadConnection) => Promise<ClusterSet>,
): AsyncGenerator<ClusterSet, void> {
  const { namespace, labelSelector, kind } = options;
  // Not the manager's cache: controllers may watch Secrets, and this selection must not become theirs.
  const cache = manager.createCache([namespace]);
  let isChanged = true;
  let wake: (() => void) | undefined;
  const changed = (): void => {
    isChanged = true;
    wake?.();
  };
  cache.add(Secret, { labelSelector });
  const kinds: readonly Kind[] = kind ? [Secret, kind] : [Secret];
  for (const each of kinds)
    cache.informer(each).addHandler({ added: changed, updated: changed, deleted: changed });
  cache.start(signal);
  signal.addEventListener('abort', changed, { once: true });
  await Promise.race([cache.filled(), untilAborted(signal)]);
  const connectionOf = connectionReader(options.key);
  while (!signal.aborted) {
    if (isChanged) {
      isChanged = false;
      yield await read(cache, connectionOf);
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await cache.stopped();
}

/** Remembers what it has read of each version of a Secret: one change in a large fleet must not read all kubeconfigs again. */
function connectionReader(key: string): ReadConnection {
  const known = new WeakMap<object, Promise<ConnectionConfig | Error>>();
  return (secret) => {
    const connection = known.get(secret) ?? readConnection(secret, key);
    known.set(secret, connection);
    return connection;
  };
}

async function readConnection(
  { metadata, data = {} }: DeepReadonly<SecretObject>,
  key: string,
): Promise<ConnectionConfig | Error> {
  const origin = `of the Secret ${metadata.namespace}/${metadata.name}`;
  const text = data[key];
  if (text === undefined) {
    return new ConnectionConfigError(
      `The Secret ${metadata.namespace}/${metadata.name} has no ${key}`,
      `Put a kubeconfig into its field ${key}.`,
    );
  }
  try {
    return await embeddedConfig(origin, Buffer.from(text, 'base64').toString('utf8'));
  } catch (error) {
    if (error instanceof ConnectionConfigError) return error;
    throw error;
  }
}
