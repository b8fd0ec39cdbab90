import { type KeyObject, createHash, randomBytes, sign } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts';

/** What a certificate says (RFC 5280). All keys are P-256. */
export interface CertificateContents {
  /** The common name of its owner; cut at 64 characters, as long as one may be. */
  subject: string;
  publicKey: KeyObject;
  /** The common name and the key of who signs. */
  issuer: string;
  issuerKey: { publicKey: KeyObject; privateKey: KeyObject };
  notBefore: Date;
  notAfter: Date;
  /** For a server: the DNS names and IP addresses. For an authority, which signs servers and no further authorities: none. */
  names?: readonly string[];
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const longestName = 64;
/** Bits of the key usage, from the first bit on: digitalSignature is the first, keyCertSign and cRLSign are the 6th and 7th. */
const signsServers = bitString(Buffer.from([0x06]), 1);
const signsHandshakes = bitString(Buffer.from([0x80]), 7);
const serverAuth = objectIdentifier('1.3.6.1.5.5.7.3.1');

/** Makes and signs a certificate; PEM. */
export function signCertificate(contents: CertificateContents): string {
  const { subject, publicKey, issuer, issuerKey, notBefore, notAfter } = contents;
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(contents))),
  );
  const signature = sign('sha256', body, { key: issuerKey.privateKey, dsaEncoding: 'der' });
  return pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bitString(signature)));
}

function extensions({ names, publicKey, issuerKey }: CertificateContents): Buffer[] {
  const keyIds = [
    extension('2.5.29.14', false, octetString(keyId(publicKey))),
    extension('2.5.29.35', false, sequence(implicit(0, keyId(issuerKey.publicKey)))),
  ];
  if (!names) {
    const noFurtherAuthorities = integer(Buffer.from([0]));
    return [
      extension('2.5.29.15', true, signsServers),
      extension('2.5.29.19', true, sequence(boolean(true), noFurtherAuthorities)),
      ...keyIds,
    ];
  }
  return [
    extension('2.5.29.15', true, signsHandshakes),
    extension('2.5.29.37', false, sequence(serverAuth)),
    extension('2.5.29.19', true, sequence()),
    ...keyIds,
    extension('2.5.29.17', false, sequence(...names.map(generalName))),
  ];
}

function extension(identifier: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** Tells keys apart whose owners have one name, as old and new authorities may (RFC 7093, method 1). */
function keyId(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha256').update(point).digest().subarray(0, 20);
}

function distinguishedName(commonName: string): Buffer {
  const value = utf8String(commonName.slice(0, longestName));
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), value)));
}

function generalName(name: string): Buffer {
  if (isIPv4(name)) return implicit(7, Buffer.from(name.split('.').map(Number)));
  if (isIPv6(name)) return implicit(7, ipv6Bytes(name));
  return implicit(2, Buffer.from(name, 'ascii'));
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
