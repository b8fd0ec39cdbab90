import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { CertificateSigningRequest } from 'ots-kubernetes/certificates/v1';
import { jsonEqual } from '../../json/json-equal.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';

type Rights = Pick<OwnMachinery, 'authorizer'>;

/** CertificateApproval: only those who may `approve` for a signer approve or deny its requests. */
export function certificateApproval(rights: Rights): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (attributes) => isUpdateOf('approval', attributes),
    validate: (attributes) => requireVerb('approve', rights, attributes),
  };
}

/** CertificateSigning: only those who may `sign` for a signer issue its certificates. */
export function certificateSigning(rights: Rights): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (attributes) => isUpdateOf('status', attributes) && changesResult(attributes),
    validate: (attributes) => requireVerb('sign', rights, attributes),
  };
}

function isUpdateOf(subresource: string, { operation, target }: AdmissionAttributes): boolean {
  const { group, plural } = target.resource;
  return (
    operation === 'UPDATE' &&
    target.subresource === subresource &&
    group === 'certificates.k8s.io' &&
    plural === 'certificatesigningrequests'
  );
}

function changesResult({ object, oldObject }: AdmissionAttributes): boolean {
  const [status, old] = [object, oldObject].map((request) => requestOf(request).status);
  return (
    status?.certificate !== old?.certificate || !jsonEqual(status?.conditions ?? [], old?.conditions ?? [])
  );
}

/** @throws {StatusError} 403 when the user has the right neither for the signer nor for all of its domain */
function requireVerb(
  verb: 'approve' | 'sign',
  { authorizer }: Rights,
  attributes: AdmissionAttributes,
): undefined {
  const { signerName } = requestOf(attributes.oldObject).spec;
  const [domain] = signerName.split('/');
  const signers = {
    group: 'certificates.k8s.io',
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
  };
  const mayActFor = (name: string) =>
    authorizer.authorize({ user: attributes.user, verb, name, ...signers }).allowed;
  if (mayActFor(signerName) || mayActFor(`${domain}/*`)) return;
  throw forbid(attributes, `user not permitted to ${verb} requests with signerName ${goQuote(signerName)}`);
}

function requestOf(object: unknown): CertificateSigningRequest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  return object as CertificateSigningRequest;
}
