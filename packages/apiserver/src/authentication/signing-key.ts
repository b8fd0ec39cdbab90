import {
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
} from 'node:crypto';
import { keyPem } from 'ots-apimachinery/certificates/x509';

/** A key pair, and the ID that tokens name it by. */
export interface SigningKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly id: string;
}

/** The key that signs the tokens of ServiceAccounts: ECDSA on P-256. Created on first use: most servers issue no tokens. */
export class SigningKey {
  #keys: SigningKeys | undefined;

  /** @param pem the private key; undefined to create one */
  constructor(pem?: string) {
    if (pem !== undefined) this.#keys = keysOf(createPrivateKey(pem));
  }

  get keys(): SigningKeys {
    return (this.#keys ??= keysOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey));
  }

  /** The private key. */
  get pem(): string {
    return keyPem(this.keys.privateKey);
  }
}

function keysOf(privateKey: KeyObject): SigningKeys {
  const publicKey = createPublicKey(privateKey);
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { privateKey, publicKey, id };
}
