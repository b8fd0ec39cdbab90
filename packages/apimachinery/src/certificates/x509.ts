import { type KeyObject, createHash, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { type ParsedIp, parseIp } from '../ip.ts';
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
  /** The common name of its owner, cut at 64 characters, the maximum; or the attributes of its name as they are. */
  subject: string | readonly NameAttribute[];
  publicKey: KeyObject;
  /** The common name and the key of the signer. */
  issuer: string;
  issuerKey: { publicKey: KeyObject; privateKey: KeyObject };
  notBefore: Date;
  notAfter: Date;
  /** For a server: the DNS names and IP addresses to certify. */
  names?: readonly string[] | undefined;
  /** For what else than a server its owner uses it, as object identifiers of key purposes (RFC 5280, 4.2.1.12). Default none. */
  purposes?: readonly string[] | undefined;
  /** Whether it signs the certificates of servers, but of no other authorities. */
  isAuthority?: boolean | undefined;
}

/** An attribute of a distinguished name: its type as an object identifier, and its value. */
export type NameAttribute = readonly [type: string, value: string];

/** Types of attributes: the common name, the organization, and the UID of a user of Kubernetes. */
export const commonNameType = '2.5.4.3';
export const organizationType = '2.5.4.10';
export const userUidType = '1.3.6.1.4.1.57683.2';
/** The purpose of a client's certificate. */
export const clientAuth = '1.3.6.1.5.5.7.3.2';

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const maxNameLength = 64;
/** Bits of the key usage. The first bit is the highest. */
const digitalSignature = 0b1000_0000;
const keyCertSign = 0b0000_0100;
const cRLSign = 0b0000_0010;
/** The purpose of a server's certificate. */
export const serverAuth = '1.3.6.1.5.5.7.3.1';

/** Creates and signs a certificate in PEM. */
export function signCertificate(contents: CertificateContents): string {
  return sign509(contents, {
    subject: distinguishedName(contents.subject),
    publicKey: contents.publicKey.export({ type: 'spki', format: 'der' }),
    extensions: extensions(contents),
  });
}

/** What a certificate says that was requested: its parts are copied as they are encoded (DER). */
export interface RequestedContents extends Omit<
  CertificateContents,
  'subject' | 'publicKey' | 'names' | 'isAuthority'
> {
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  /** The names and addresses of its owner, each as a GeneralName. */
  readonly alternativeNames: readonly Uint8Array[];
  /** The first byte of the key usage (RFC 5280, 4.2.1.3). */
  readonly keyUsage: number;
}

/** Creates and signs a certificate that was requested, in PEM. It is not an authority. */
export function signRequested(contents: RequestedContents): string {
  const { keyUsage: usage, purposes = [], issuerKey, alternativeNames } = contents;
  // DER has no zero bits at the end.
  const unusedBits = 31 - Math.clz32(usage & -usage);
  return sign509(contents, {
    ...contents,
    extensions: [
      ...(usage === 0 ? [] : [extension('2.5.29.15', true, bitString(Buffer.from([usage]), unusedBits))]),
      extension('2.5.29.37', false, sequence(...purposes.map(objectIdentifier))),
      extension('2.5.29.19', true, sequence()),
      extension('2.5.29.35', false, sequence(implicit(0, keyId(issuerKey.publicKey)))),
      ...(alternativeNames.length > 0 ? [extension('2.5.29.17', false, sequence(...alternativeNames))] : []),
    ],
  });
}

function sign509(
  {
    issuer,
    issuerKey,
    notBefore,
    notAfter,
  }: Pick<CertificateContents, 'issuer' | 'issuerKey' | 'notBefore' | 'notAfter'>,
  {
    subject,
    publicKey,
    extensions: all,
  }: { subject: Uint8Array; publicKey: Uint8Array; extensions: Buffer[] },
): string {
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    explicit(3, sequence(...all)),
  );
  const signature = sign('sha256', body, { key: issuerKey.privateKey, dsaEncoding: 'der' });
  return pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bitString(signature)));
}

function extensions(contents: CertificateContents): Buffer[] {
  const { names, isAuthority = false, publicKey, issuerKey } = contents;
  const noFurtherAuthorities = integer(Buffer.from([0]));
  const purposes = [...(names ? [serverAuth] : []), ...(contents.purposes ?? [])].map(objectIdentifier);
  return [
    extension('2.5.29.15', true, keyUsage(purposes.length > 0 || !isAuthority, isAuthority)),
    ...(purposes.length > 0 ? [extension('2.5.29.37', false, sequence(...purposes))] : []),
    extension('2.5.29.19', true, isAuthority ? sequence(boolean(true), noFurtherAuthorities) : sequence()),
    extension('2.5.29.14', false, octetString(keyId(publicKey))),
    extension('2.5.29.35', false, sequence(implicit(0, keyId(issuerKey.publicKey)))),
    ...(names ? [extension('2.5.29.17', false, sequence(...names.map(generalName)))] : []),
  ];
}

/** DER has no zero bits at the end. */
function keyUsage(isEndpoint: boolean, isAuthority: boolean): Buffer {
  const bits = (isEndpoint ? digitalSignature : 0) | (isAuthority ? keyCertSign | cRLSign : 0);
  return bitString(Buffer.from([bits]), isAuthority ? 1 : 7);
}

function extension(identifier: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** Distinguishes the keys of owners with the same name, such as an old and a new authority (RFC 7093, method 1). */
function keyId(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha256').update(point).digest().subarray(0, 20);
}

/** A name in DER. A text is a common name, cut at 64 characters. */
export function distinguishedName(name: string | readonly NameAttribute[]): Buffer {
  const attributes =
    typeof name === 'string' ? [[commonNameType, name.slice(0, maxNameLength)] as const] : name;
  return sequence(
    ...attributes.map(([type, value]) => set(sequence(objectIdentifier(type), utf8String(value)))),
  );
}

function generalName(name: string): Buffer {
  // A zone is local to a machine.
  const ip = isIP(name) === 0 ? undefined : parseIp(name.replace(/%.*$/, ''));
  return ip && ip !== 'zone' ? implicit(7, bytesOf(ip)) : implicit(2, Buffer.from(name, 'ascii'));
}

function bytesOf({ family, bits }: ParsedIp): Buffer {
  return Buffer.from(bits.toString(16).padStart(family === 4 ? 8 : 32, '0'), 'hex');
}

/** Bytes in PEM. */
export function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** A private key as PKCS #8 in PEM, which every TLS library reads. */
export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
