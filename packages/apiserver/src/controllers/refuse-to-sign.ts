import type { CertificateSigningRequestSpec } from 'ots-kubernetes/certificates/v1';
import {
  type RequestedCertificate,
  asksFor,
  commonNameOf,
  organizationsOf,
  readRequest,
} from '../built-in/cluster/certificates/certificate-request.ts';

type Rule = (usages: readonly string[], pem: Buffer) => string | undefined;

const keyUsages = ['digital signature', 'key encipherment'];

/** What the signers of kube-controller-manager refuse. */
const rules: Readonly<Record<string, Rule>> = {
  'kubernetes.io/kube-apiserver-client': (usages) => {
    const other = usages.find((usage) => usage !== 'client auth' && !keyUsages.includes(usage));
    if (other !== undefined) return `invalid usage for client certificate: ${other}`;
    return usages.includes('client auth')
      ? undefined
      : 'missing required usage for client certificate: client auth';
  },
  'kubernetes.io/kube-apiserver-client-kubelet': (usages, pem) => {
    const request = readRequest(pem);
    return (
      faultOfOrganization(pem) ??
      (asksFor(request, 'dns') ? 'DNS subjectAltNames are not allowed' : undefined) ??
      (asksFor(request, 'email') ? 'Email subjectAltNames are not allowed' : undefined) ??
      (asksFor(request, 'ip') ? 'IP subjectAltNames are not allowed' : undefined) ??
      (asksFor(request, 'uri') ? 'URI subjectAltNames are not allowed' : undefined) ??
      faultOfName(pem) ??
      faultOfUsages(usages, 'client auth')
    );
  },
  'kubernetes.io/kubelet-serving': (usages, pem) => {
    const request = readRequest(pem);
    return (
      faultOfOrganization(pem) ??
      (isServer(request) ? undefined : 'DNS or IP subjectAltName is required') ??
      (asksFor(request, 'email') ? 'Email subjectAltNames are not allowed' : undefined) ??
      (asksFor(request, 'uri') ? 'URI subjectAltNames are not allowed' : undefined) ??
      faultOfUsages(usages, 'server auth') ??
      faultOfName(pem)
    );
  },
};

/** Whether this server signs the requests of a signer. */
export function isOwnSigner(signerName: string): boolean {
  return Object.hasOwn(rules, signerName);
}

/** Why a signer does not sign a request; undefined when it does. */
export function refusalToSign({
  signerName,
  usages = [],
  request,
}: CertificateSigningRequestSpec): string | undefined {
  return rules[signerName]?.(usages, Buffer.from(request, 'base64'));
}

function isServer(request: RequestedCertificate): boolean {
  return asksFor(request, 'dns') || asksFor(request, 'ip');
}

function faultOfOrganization(pem: Buffer): string | undefined {
  const [organization, ...others] = organizationsOf(pem);
  const isOfNodes = organization === 'system:nodes' && others.length === 0;
  return isOfNodes ? undefined : 'subject organization is not system:nodes';
}

function faultOfName(pem: Buffer): string | undefined {
  return commonNameOf(pem)?.startsWith('system:node:')
    ? undefined
    : 'subject common name does not begin with system:node:';
}

/** The encipherment of keys is only for RSA. */
function faultOfUsages(usages: readonly string[], purpose: string): string | undefined {
  const required = [...keyUsages, purpose];
  const isKnown = usages.every((usage) => required.includes(usage));
  if (isKnown && usages.includes('digital signature') && usages.includes(purpose)) return undefined;
  return `usages did not match [${required.toSorted().join(' ')}]`;
}
