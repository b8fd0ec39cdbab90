import type { TokenRequest } from 'ots-kubernetes/authentication/v1';
import { ServiceAccount } from 'ots-kubernetes/core/v1';
import { type Client, isApiError } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { ConfigurationError } from './configuration/configuration-error.ts';

const hourSeconds = 3600;

/**
 * Requests a token of the ServiceAccount of a pod, which is valid as long as the pod exists.
 *
 * @throws {ConfigurationError} when the server refuses
 */
export async function requestToken(
  client: Client,
  { metadata: { name = '', namespace, uid = '' }, spec }: CachedPod,
  { audience, seconds = hourSeconds }: { audience: string | undefined; seconds: number | undefined },
): Promise<string> {
  const account = { name: spec?.serviceAccountName ?? '', namespace };
  try {
    const { status } = await client.subresource<TokenRequest>('token').create(ServiceAccount, account, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        audiences: audience === undefined ? [] : [audience],
        expirationSeconds: seconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    });
    return status?.token ?? '';
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw new ConfigurationError(`failed to fetch token: ${error.message}`);
  }
}
