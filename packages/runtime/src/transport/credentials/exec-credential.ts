import { ConnectionConfigError, type ExecPluginConfig } from '../../kubeconfig/connection-config.ts';
import { type KeyPair, isKeyPair } from './key-pair.ts';

/** The credentials that a plugin returned. */
export interface ExecCredential {
  token: string | undefined;
  keyPair: KeyPair | undefined;
  /** In milliseconds since 1970; infinite when the plugin did not set it. */
  expiresAt: number;
}

type Fields = Record<string, unknown>;

/**
 * Reads an `ExecCredential`.
 * https://kubernetes.io/docs/reference/config-api/client-authentication.v1/#client-authentication-k8s-io-v1-ExecCredential
 * @throws {ConnectionConfigError} when the output is something else, or has neither a token nor a certificate. The
 *   error never quotes the output.
 */
export function execCredentialOf(output: string, { command, apiVersion }: ExecPluginConfig): ExecCredential {
  const credential = fields(parse(output));
  const status = fields(credential['status']);
  const token = text(status['token']);
  const cert = text(status['clientCertificateData']);
  const key = text(status['clientKeyData']);
  const keyPair = cert && key ? { cert, key } : undefined;
  const expiresAt = expiry(status['expirationTimestamp']);
  const fault =
    (credential['kind'] !== 'ExecCredential' && 'printed something other than an ExecCredential') ||
    (credential['apiVersion'] !== apiVersion && `returned an apiVersion other than ${apiVersion}`) ||
    (Boolean(cert) !== Boolean(key) && 'returned only one of certificate and key') ||
    (!token && !keyPair && 'returned neither a token nor a certificate') ||
    (keyPair && !isKeyPair(keyPair) && 'returned a certificate and a key that do not match') ||
    (Number.isNaN(expiresAt) && 'returned an expirationTimestamp that is not a time');
  if (!fault) return { token, keyPair, expiresAt };
  throw new ConnectionConfigError(
    `The credential plugin ${command} ${fault}`,
    'Run it by hand with the arguments of the kubeconfig, and check what it prints.',
  );
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function expiry(value: unknown): number {
  if (value === undefined || value === null) return Number.POSITIVE_INFINITY;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
