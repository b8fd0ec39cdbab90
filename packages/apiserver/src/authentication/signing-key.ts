import {
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
} from 'node:crypto';
import { keyPem } from 'ots-apimachinery/certificates/x509';
import { type Keep, keepNothing } from '../tls/keep.ts';

/** A key pair, and the ID that tokens name it by. */
export interface SigningKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly id: string;
}

/** The key that signs the tokens of ServiceAccounts: ECDSA on P-256. Created on first use: most servers issue no tokens. */
export class SigningKey {
  readonly #keep: Keep;
  #keys: SigningKeys | undefined;

  /** @param keep keeps the key. Default: until the end of the process. */
  constructor(keep: Keep = keepNothing) {
    this.#keep = keep;
  }

  get keys(): SigningKeys {
    return (this.#keys ??= keysOf(createPrivateKey(this.#keep('service-accounts', createKey, isKey))));
  }
}

function keysOf(privateKey: KeyObject): SigningKeys {
  const publicKey = createPublicKey(privateKey);
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { privateKey, publicKey, id };
}

function createKey(): string {
  return keyPem(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
}

/** @throws when it is not a key */
function isKey(text: string): boolean {
  return createPrivateKey(text).asymmetricKeyType === 'ec';
}
