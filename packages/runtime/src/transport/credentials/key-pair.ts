import { X509Certificate, createPrivateKey } from 'node:crypto';

/** A certificate chain and its private key. PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Returns true when both can be parsed and match. In the middle of a rotation of two files they do not. */
export function isKeyPair({ cert, key }: KeyPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
