import { ConnectionConfigError } from '../../kubeconfig/connection-config.ts';

/**
 * Returns the header that carries a token.
 * @throws {ConnectionConfigError} when the token has characters that no header can carry. The error does not quote it.
 */
export function bearer(token: string): { authorization: string } {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ConnectionConfigError(
      'The token has characters that cannot be sent in a header, or is empty',
      'Check that the token, or its file, holds one token and nothing else.',
    );
  }
  return { authorization: `Bearer ${token}` };
}
