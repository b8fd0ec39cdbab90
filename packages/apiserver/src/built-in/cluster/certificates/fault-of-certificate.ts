import { X509Certificate } from 'node:crypto';

/** Headers are few and short; they match possessively, or a text of headers only would take exponential time. */
const block =
  /-----BEGIN ([^-]*)-----\r?\n(?=((?:[^\n:]{0,200}:[^\n]{0,200}\n){0,20}))\2[^-]*-----END \1-----/g;

/** Finds the error in PEM certificates; undefined for valid ones, and for none. */
export function faultOfCertificate(pem: Buffer): string | undefined {
  if (pem.length === 0) return undefined;
  const blocks = [...pem.toString('latin1').matchAll(block)];
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const [text, type, headers] of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found "${type}"`;
    if (headers !== '') return 'no PEM block headers are permitted';
    if (!isCertificate(text)) return 'x509: malformed certificate';
  }
  return undefined;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
