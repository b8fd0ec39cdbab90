import type { KeyObject } from 'node:crypto';

/** A private key as PKCS #8, which every TLS library reads. */
export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
