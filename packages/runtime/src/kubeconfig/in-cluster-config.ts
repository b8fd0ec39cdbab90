import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../errors/error-message.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { ConnectionConfigError } from './connection-config-error.ts';

// https://kubernetes.io/docs/tasks/run-application/access-api-from-pod
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The connection of a pod through its service account, or undefined outside of a pod.
 * @param directory where the kubelet mounts the service account.
 * @throws {ConnectionConfigError} when this is a pod but its service account is not mounted.
 */
export async function inClusterConfig(
  env: Record<string, string | undefined>,
  directory: string = serviceAccountDirectory,
): Promise<ConnectionConfig | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  try {
    const tokenFile = join(directory, 'token');
    await readFile(tokenFile);
    return {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tokenFile,
      caData: await readFile(join(directory, 'ca.crt'), 'utf8'),
      namespace: (await readFile(join(directory, 'namespace'), 'utf8')).trim(),
    };
  } catch (error) {
    throw new ConnectionConfigError(
      `this is a pod, but its service account cannot be read: ${errorMessage(error)}`,
      'Set automountServiceAccountToken: true in the pod, or name a kubeconfig.',
      error,
    );
  }
}
