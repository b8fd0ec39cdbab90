import type { ConnectionConfig, Impersonation } from './connection-config.ts';
import type { Entry } from './entry.ts';
import { execPluginOf } from './exec-plugin-of.ts';

/**
 * Reads the credentials of a user in a kubeconfig.
 * @throws {ConnectionConfigError} when a field has a wrong type, or the user needs an auth provider.
 */
export function credentialFields(user: Entry): Partial<ConnectionConfig> {
  if (user.raw('auth-provider') !== undefined) {
    throw user.invalid(
      'it has an auth-provider, which Kubernetes removed in 1.26',
      'Use the credential plugin (exec) of your provider, such as kubelogin or gke-gcloud-auth-plugin.',
    );
  }
  const certData = user.decoded('client-certificate-data');
  const keyData = user.decoded('client-key-data');
  const exec = user.entry('exec');
  return {
    token: user.text('token'),
    tokenFile: user.path('tokenFile'),
    username: user.text('username'),
    password: user.text('password'),
    certData,
    certFile: certData === undefined ? user.path('client-certificate') : undefined,
    keyData,
    keyFile: keyData === undefined ? user.path('client-key') : undefined,
    exec: exec && execPluginOf(exec),
  };
}

/**
 * Reads whom the user impersonates.
 * @throws {ConnectionConfigError} when other attributes are impersonated without a user, or a field has a wrong type.
 */
export function impersonationOf(user: Entry): Impersonation | undefined {
  const name = user.text('as');
  const uid = user.text('as-uid');
  const groups = user.texts('as-groups');
  const extra = user.entry('as-user-extra');
  const keys = extra?.fields() ?? [];
  if (name === undefined) {
    if (uid === undefined && !groups?.length && keys.length === 0) return undefined;
    throw user.invalid('as-uid, as-groups and as-user-extra need a user to act as (as)');
  }
  return {
    user: name,
    ...(uid !== undefined && { uid }),
    ...(groups && { groups }),
    ...(extra && { extra: Object.fromEntries(keys.map((key) => [key, extra.texts(key) ?? []])) }),
  };
}
