import { createPublicKey, verify } from 'node:crypto';
import { type DerValue, readDer } from 'ots-apimachinery/certificates/der';

/** Types of attributes in hex: the common name, the organization. */
const commonNameType = '550403';
const organizationType = '55040a';
/** Types of an attribute of a request and of an extension, in hex. */
const extensionRequestType = '2a864886f70d01090e';
const alternativeNamesType = '551d11';
const rsaFault = 'crypto/rsa: verification error';
const ecdsaFault = 'x509: ECDSA verification failure';
/** Signature algorithms by their identifier in hex: the hash, and the error about a wrong signature. */
const algorithms = new Map([
  ['2a864886f70d01010b', { hash: 'sha256', fault: rsaFault }],
  ['2a864886f70d01010c', { hash: 'sha384', fault: rsaFault }],
  ['2a864886f70d01010d', { hash: 'sha512', fault: rsaFault }],
  ['2a8648ce3d040302', { hash: 'sha256', fault: ecdsaFault }],
  ['2a8648ce3d040303', { hash: 'sha384', fault: ecdsaFault }],
  ['2a8648ce3d040304', { hash: 'sha512', fault: ecdsaFault }],
  ['2b6570', { hash: undefined, fault: 'x509: Ed25519 verification failure' }],
]);

/**
 * Finds the error in a certificate request (PKCS #10, in PEM): its form, or the proof that the sender has the key.
 *
 * @returns undefined for a valid one
 */
export function faultOfRequest(pem: Buffer): string | undefined {
  const der = derOf(pem);
  if (!der) return 'PEM block type must be CERTIFICATE REQUEST';
  try {
    return faultOfSignature(der);
  } catch (error) {
    if (error instanceof RangeError) return `asn1: ${error.message}`;
    return `x509: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function derOf(pem: Buffer): Buffer | undefined {
  const [, type, body = ''] =
    /-----BEGIN ([^-]*)-----\r?\n([A-Za-z0-9+/=\s]*)-----END \1-----/.exec(pem.toString('latin1')) ?? [];
  return type === 'CERTIFICATE REQUEST' ? Buffer.from(body, 'base64') : undefined;
}

/** The common name that a certificate request asks for. Undefined for a text that is not a request. */
export function commonNameOf(pem: Buffer): string | undefined {
  const names = subjectValues(pem, commonNameType);
  return names && (names.at(-1) ?? '');
}

/** The organizations that a certificate request asks for: the groups of the user. */
export function organizationsOf(pem: Buffer): string[] {
  return subjectValues(pem, organizationType) ?? [];
}

/** What a certificate request asks for, as it is encoded (DER). */
export interface RequestedCertificate {
  readonly subject: Buffer;
  readonly publicKey: Buffer;
  /** The names and addresses that certificates can have: DNS names, email and IP addresses, and URIs. */
  readonly alternativeNames: readonly Buffer[];
}

const alternativeNameTags = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 };

/** Reads a valid certificate request. */
export function readRequest(pem: Buffer): RequestedCertificate {
  const [info] = childrenOf(readDer(derOf(pem) ?? Buffer.alloc(0)));
  const [, subject, publicKey, attributes] = info ? childrenOf(info) : [];
  if (!subject || !publicKey) throw new RangeError('structure error: tags do not match');
  const extensions = (attributes ? childrenOf(attributes) : []).flatMap(extensionsIn);
  const names = extensions.find(([type]) => type?.content.toString('hex') === alternativeNamesType)?.at(-1);
  const known: readonly (number | undefined)[] = Object.values(alternativeNameTags);
  const alternativeNames = names ? childrenOf(readDer(names.content)).map(({ bytes }) => bytes) : [];
  return {
    subject: subject.bytes,
    publicKey: publicKey.bytes,
    alternativeNames: alternativeNames.filter(([tag]) => known.includes(tag)),
  };
}

/** The extensions that an attribute of a request asks for, each as its type, whether it is critical, and its value. */
function extensionsIn(attribute: DerValue): DerValue[][] {
  const [type, values] = childrenOf(attribute);
  if (!values || type?.content.toString('hex') !== extensionRequestType) return [];
  return childrenOf(values).flatMap(childrenOf).map(childrenOf);
}

/** Whether a request asks for names of a type. */
export function asksFor(
  { alternativeNames }: RequestedCertificate,
  type: keyof typeof alternativeNameTags,
): boolean {
  return alternativeNames.some(([tag]) => tag === alternativeNameTags[type]);
}

/** The attributes of one type in the subject. Undefined for a text that is not a request. */
function subjectValues(pem: Buffer, wanted: string): string[] | undefined {
  try {
    const [info] = childrenOf(readDer(derOf(pem) ?? Buffer.alloc(0)));
    const [, subject] = info ? childrenOf(info) : [];
    const attributes = subject ? childrenOf(subject).flatMap(childrenOf).map(childrenOf) : [];
    const found = attributes.filter(([type]) => type?.content.toString('hex') === wanted);
    return found.map(([, value]) => value?.content.toString('utf8') ?? '');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws {RangeError} when it is not a certificate request; the error of an unusable key */
function faultOfSignature(der: Buffer): string | undefined {
  const [info, algorithm, signature] = childrenOf(readDer(der));
  const [, , keyInfo] = info ? childrenOf(info) : [];
  const [identifier] = algorithm ? childrenOf(algorithm) : [];
  if (!info || !keyInfo || !identifier || !signature)
    throw new RangeError('structure error: tags do not match');
  const known = algorithms.get(identifier.content.toString('hex'));
  if (!known) return 'x509: cannot verify signature: algorithm unimplemented';
  const key = createPublicKey({ key: keyInfo.bytes, format: 'der', type: 'spki' });
  // The first byte of a bit string counts the unused bits.
  const isProved = verify(known.hash, info.bytes, key, signature.content.subarray(1));
  return isProved ? undefined : known.fault;
}

function childrenOf({ content }: DerValue): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < content.length;) {
    const value = readDer(content.subarray(at));
    values.push(value);
    at += value.bytes.length;
  }
  return values;
}
