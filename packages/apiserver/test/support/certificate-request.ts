import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import {
  bitString,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
} from 'ots-apimachinery/certificates/der';
import { type NameAttribute, distinguishedName, keyPem, pem } from 'ots-apimachinery/certificates/x509';

/** What a certificate request asks for. */
export interface RequestContents {
  subject: readonly NameAttribute[];
  /** Alternative names by their type, such as `dns: ['a.example.com']`. An IP address is its bytes in hex. */
  names?: Partial<Record<keyof typeof tags, readonly string[]>>;
  /** The type of the key. Default P-256. */
  key?: 'P-256' | 'RSA' | 'Ed25519';
}

const tags = { email: 1, dns: 2, uri: 6, ip: 7 };
const algorithms = {
  'P-256': { identifier: '1.2.840.10045.4.3.2', hash: 'sha256' },
  RSA: { identifier: '1.2.840.113549.1.1.11', hash: 'sha256' },
  Ed25519: { identifier: '1.3.101.112', hash: undefined },
};

/** Creates a certificate request (PKCS #10). @returns it in PEM and base64, as a CertificateSigningRequest has it, and its key */
export function certificateRequest({ subject, names, key: type = 'P-256' }: RequestContents): {
  request: string;
  key: string;
} {
  const { publicKey, privateKey } = keysOf(type);
  const { identifier, hash } = algorithms[type];
  const info = sequence(
    integer(Buffer.from([0])),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(0, ...(names ? [attributeOf(names)] : [])),
  );
  const signature = bitString(sign(hash, info, privateKey));
  const body = sequence(info, sequence(objectIdentifier(identifier)), signature);
  const text = pem('CERTIFICATE REQUEST', body);
  return { request: Buffer.from(text).toString('base64'), key: keyPem(privateKey) };
}

function keysOf(type: keyof typeof algorithms): { publicKey: KeyObject; privateKey: KeyObject } {
  if (type === 'RSA') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return type === 'Ed25519'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** Asks for alternative names (RFC 2985, 5.4.2). */
function attributeOf(names: NonNullable<RequestContents['names']>): Buffer {
  const encoded = Object.entries(names).flatMap(([type, values]) =>
    values.map((value) =>
      implicit(tags[type as keyof typeof tags], Buffer.from(value, type === 'ip' ? 'hex' : 'ascii')),
    ),
  );
  const extension = sequence(objectIdentifier('2.5.29.17'), octetString(sequence(...encoded)));
  return sequence(objectIdentifier('1.2.840.113549.1.9.14'), set(sequence(extension)));
}
