import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type ConnectionConfig, ConnectionConfigError } from './connection-config.ts';
import { connectionOf } from './connection-of.ts';
import { inClusterConfig } from './in-cluster-config.ts';
import { readKubeconfigs } from './read-kubeconfigs.ts';

/** Where to look for the connection. */
export interface LoadConfigOptions {
  /** A kubeconfig file; wins over everything else. */
  kubeconfig?: string | undefined;
  /** The context to use instead of `current-context`. */
  context?: string | undefined;
  /** Environment variables; `process.env` by default. */
  env?: Record<string, string | undefined> | undefined;
}

/**
 * Finds the API server as Kubernetes tools do: the `kubeconfig` option, then the files of `KUBECONFIG` (the first file
 * that names an entry wins), then the service account of the pod, then `~/.kube/config`.
 * @throws {ConnectionConfigError} when none of these exists, or the one found is malformed or needs an auth provider.
 * @param internals for tests: where the kubelet mounts the service account.
 */
export async function loadConfig(
  options: LoadConfigOptions = {},
  { serviceAccount }: { serviceAccount?: string } = {},
): Promise<ConnectionConfig> {
  const env = options.env ?? process.env;
  if (options.kubeconfig) return fromFiles([options.kubeconfig], options.context);
  const listed = env['KUBECONFIG']?.split(delimiter).filter((file) => file !== '') ?? [];
  if (listed.length > 0) {
    // kubectl ignores missing files in the list; if all are missing, reading the list reports it.
    const found = await existing(listed);
    return fromFiles(found.length > 0 ? found : listed, options.context);
  }
  const [home] = await existing([join(env['HOME'] ?? homedir(), '.kube', 'config')]);
  const inCluster = await inClusterConfig(env, serviceAccount).catch((error: unknown) => {
    // As in controller-runtime: a pod without a service account may contain a kubeconfig.
    if (home) return undefined;
    throw error;
  });
  if (inCluster) return inCluster;
  if (home) return fromFiles([home], options.context);
  throw new ConnectionConfigError(
    'No kubeconfig was found and this is not a pod',
    'Name a file with --kubeconfig or KUBECONFIG, or create ~/.kube/config.',
  );
}

async function fromFiles(files: string[], context: string | undefined): Promise<ConnectionConfig> {
  return connectionOf(await readKubeconfigs(files), context);
}

async function existing(files: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of files) {
    if (await exists(file)) found.push(file);
  }
  return found;
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
