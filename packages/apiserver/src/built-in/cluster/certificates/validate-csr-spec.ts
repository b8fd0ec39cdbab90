import type { CertificateSigningRequestSpec } from 'ots-kubernetes/certificates/v1';
import { type FieldError, duplicate, invalid, notSupported, required } from '../../../status/field-error.ts';
import { faultOfRequest } from './certificate-request.ts';
import { validateSignerName } from './validate-signer-name.ts';

const legacySigner = 'kubernetes.io/legacy-unknown';
const minSeconds = 600;
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/**
 * Validates the spec of a request.
 *
 * @param old the spec before an update: faults that an older server accepted may stay
 */
export function validateCsrSpec(
  spec: CertificateSigningRequestSpec,
  old?: CertificateSigningRequestSpec,
): FieldError[] {
  const { request, signerName, expirationSeconds: seconds = minSeconds } = spec;
  const fault = faultOfRequest(Buffer.from(request ?? '', 'base64'));
  const isLegacy = signerName === legacySigner;
  return [
    ...(fault === undefined ? [] : [invalid('spec.request', request, fault)]),
    ...validateUsages(spec.usages ?? [], old?.usages ?? []),
    ...(isLegacy && old?.signerName !== legacySigner
      ? [invalid('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version')]
      : validateSignerName(signerName)),
    ...(seconds < minSeconds
      ? [
          invalid(
            'spec.expirationSeconds',
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ];
}

function validateUsages(sent: readonly string[], old: readonly string[]): FieldError[] {
  const field = 'spec.usages';
  const allowsUnknown = old.some((usage) => !usages.includes(usage));
  const allowsSame = new Set(old).size < old.length;
  if (sent.length === 0) return [required(field)];
  return sent.flatMap((usage, index) => [
    ...(usages.includes(usage) || allowsUnknown ? [] : [notSupported(`${field}[${index}]`, usage, usages)]),
    ...(sent.indexOf(usage) < index && !allowsSame ? [duplicate(`${field}[${index}]`, usage)] : []),
  ]);
}
