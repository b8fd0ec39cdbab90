import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  boolean,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  tagged,
  utcTime,
  utf8String,
} from './der.ts';

/** A certificate and its private key, as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

const oid = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
};
const day = 24 * 60 * 60 * 1000;

/**
 * Creates a self-signed server certificate (P-256, one year). Clients trust it as their authority.
 *
 * @param names the host names and IP addresses to certify
 */
export function selfSignedCertificate(names: readonly string[], now: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha256));
  const subject = sequence(set(sequence(objectIdentifier(oid.commonName), utf8String('ots-apiserver'))));
  const content = sequence(
    tagged(0, integer(Buffer.from([2])), true),
    // The highest bit is clear, and the first byte is not zero.
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    algorithm,
    subject,
    // Clocks of other machines may be slow.
    sequence(utcTime(new Date(now.getTime() - day)), utcTime(new Date(now.getTime() + 365 * day))),
    subject,
    spki,
    tagged(3, sequence(...extensions(names, spki)), true),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, algorithm, bitString(signature));
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extensions(names: readonly string[], spki: Buffer): Buffer[] {
  const keyId = createHash('sha1').update(spki).digest();
  return [
    extension(oid.basicConstraints, true, sequence(boolean(true))),
    // digitalSignature and keyCertSign
    extension(oid.keyUsage, true, bitString(Buffer.from([0b1000_0100]), 2)),
    extension(oid.extendedKeyUsage, false, sequence(objectIdentifier(oid.serverAuth))),
    extension(oid.subjectKeyIdentifier, false, octetString(keyId)),
    extension(oid.subjectAltName, false, sequence(...names.map(generalName))),
  ];
}

function extension(id: string, isCritical: boolean, content: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(isCritical ? [boolean(true)] : []), octetString(content));
}

function generalName(name: string): Buffer {
  return isIP(name) === 0 ? tagged(2, Buffer.from(name), false) : tagged(7, addressBytes(name), false);
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The zone is local to this machine. An IPv4 address at the end stands for two groups.
  const [plain = ''] = address.split('%');
  const hexadecimal = plain.replace(/[\d.]+\.[\d.]+$/, (ipv4) =>
    Buffer.from(ipv4.split('.').map(Number))
      .toString('hex')
      .replace(/^(.{4})/, '$1:'),
  );
  const [head = '', tail] = hexadecimal.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
