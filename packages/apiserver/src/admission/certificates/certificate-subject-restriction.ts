import type { CertificateSigningRequest } from 'ots-kubernetes/certificates/v1';
import { organizationsOf } from '../../built-in/cluster/certificates/certificate-request.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** CertificateSubjectRestriction: no client certificate makes its owner an administrator. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  handles({ operation, target: { resource, subresource } }) {
    const { group, plural } = resource;
    return (
      operation === 'CREATE' &&
      subresource === '' &&
      group === 'certificates.k8s.io' &&
      plural === 'certificatesigningrequests'
    );
  },
  validate(attributes) {
    const { signerName, request } = specOf(attributes);
    if (
      signerName !== clientSigner ||
      !organizationsOf(Buffer.from(request, 'base64')).includes('system:masters')
    )
      return;
    throw forbid(attributes, `use of ${clientSigner} signer with system:masters group is not allowed`);
  },
};

function specOf({ object }: AdmissionAttributes): NonNullable<CertificateSigningRequest['spec']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding and validation checked its fields
  return object?.['spec'] as NonNullable<CertificateSigningRequest['spec']>;
}
