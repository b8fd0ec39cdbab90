import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../errors/error-message.ts';
import { type ConnectionConfig, ConnectionConfigError } from './connection-config.ts';

// https://kubernetes.io/docs/tasks/run-application/access-api-from-pod
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the connection of a pod through its service account, or undefined outside of a pod. The token and the
 * certificate authorities stay in files, because the kubelet renews both.
 * @param directory where the kubelet mounts the service account.
 * @throws {ConnectionConfigError} when the process is in a pod whose service account is not mounted.
 */
export async function inClusterConfig(
  env: Record<string, string | undefined>,
  directory: string = serviceAccountDirectory,
): Promise<ConnectionConfig | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  const tokenFile = join(directory, 'token');
  const caFile = join(directory, 'ca.crt');
  try {
    await Promise.all([readFile(tokenFile), readFile(caFile)]);
  } catch (error) {
    throw new ConnectionConfigError(
      `This is a pod, but its service account cannot be read: ${errorMessage(error)}`,
      'Set automountServiceAccountToken: true in the pod, or name a kubeconfig.',
      error,
    );
  }
  const namespace = await readNamespace(directory);
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tokenFile,
    caFile,
    context: 'in-cluster',
    ...(namespace && { namespace }),
  };
}

/** A manually projected volume often has no such file, and nothing fails without it. */
async function readNamespace(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'namespace'), 'utf8')).trim();
  } catch {
    return undefined;
  }
}
