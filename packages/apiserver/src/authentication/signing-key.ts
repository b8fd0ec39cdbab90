import { type KeyObject, createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** A key pair, and the ID that tokens name it by. */
export interface SigningKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly id: string;
}

/** The key that signs the tokens of ServiceAccounts: ECDSA on P-256. Created on first use: most servers issue no tokens. */
export class SigningKey {
  #keys: SigningKeys | undefined;

  get keys(): SigningKeys {
    return (this.#keys ??= keysOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey));
  }
}

function keysOf(privateKey: KeyObject): SigningKeys {
  const publicKey = createPublicKey(privateKey);
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { privateKey, publicKey, id };
}
