import { X509Certificate, createPrivateKey } from 'node:crypto';

/** A certificate, with those that lead to its authority, and its key. PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Whether both can be parsed and belong together: not so in the middle of a rotation of two files. */
export function isKeyPair({ cert, key }: KeyPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
