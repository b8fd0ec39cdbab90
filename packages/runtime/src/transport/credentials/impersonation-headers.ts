import { ConnectionConfigError, type Impersonation } from '../../kubeconfig/connection-config.ts';

/** Control characters except the tab: they could end a header and start another. */
const unsendable = /[^\P{Cc}\t]/u;

/**
 * https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/
 * @throws {ConnectionConfigError} when a value has characters that no header can carry.
 */
export function impersonationHeaders(impersonate: Impersonation): Record<string, string | string[]> {
  const { user, uid, groups = [], extra = {} } = impersonate;
  const headers: [string, string | string[]][] = [['impersonate-user', value(user)]];
  if (uid) headers.push(['impersonate-uid', value(uid)]);
  if (groups.length > 0) headers.push(['impersonate-group', groups.map(value)]);
  for (const [key, values] of Object.entries(extra)) {
    if (values.length > 0) headers.push([`impersonate-extra-${escapeKey(key)}`, values.map(value)]);
  }
  return Object.fromEntries(headers);
}

/** Go treats header values as bytes and Node as latin1, so UTF-8 must be passed byte by byte. */
function value(text: string): string {
  if (unsendable.test(text)) {
    throw new ConnectionConfigError(
      'The user, uid, groups or extra to impersonate have control characters',
      'Remove them from the as… fields of the kubeconfig.',
    );
  }
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** RFC 9110 allows few characters in the name of a header; the API server takes the rest percent-encoded. */
function escapeKey(key: string): string {
  return [...Buffer.from(key, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9!#$&'*+.^_`|~-]/.test(character)) return character;
      return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
