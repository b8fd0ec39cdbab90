import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import type { CertificatePair } from './certificate-pair.ts';
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

export interface SelfSignedOptions {
  /** The DNS names and IP addresses to serve; the first one is the common name too. */
  names: [string, ...string[]];
  /** When the certificate begins to be valid; now by default. It is valid for ten years. */
  notBefore?: Date;
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const validYears = 10;

/** A certificate for a TLS server, signed with its own P-256 key (RFC 5280). */
export function selfSignedCertificate({ names, notBefore = new Date() }: SelfSignedOptions): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + validYears);
  const name = sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(names[0]))));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    ecdsaWithSha256,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(names))),
  );
  const signature = sign('sha256', body, { key: privateKey, dsaEncoding: 'der' });
  return {
    cert: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bitString(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extensions(names: string[]): Buffer[] {
  const digitalSignature = bitString(Buffer.from([0x80]), 7);
  const serverAuth = sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'));
  return [
    extension('2.5.29.15', true, digitalSignature),
    extension('2.5.29.37', false, serverAuth),
    extension('2.5.29.19', true, sequence()),
    extension('2.5.29.17', false, sequence(...names.map(generalName))),
  ];
}

function extension(identifier: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), ...(critical ? [boolean(true)] : []), octetString(value));
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
