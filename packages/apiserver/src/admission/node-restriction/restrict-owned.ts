import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { CertificateSigningRequest } from 'ots-kubernetes/certificates/v1';
import { commonNameOf } from '../../built-in/cluster/certificates/certificate-request.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';

const leaseNamespace = 'kube-node-lease';
const nodeSigners = new Set(['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet']);

/** A node may write its Lease, its CSINode and its ResourceSlices. */
export function faultOfOwned(
  _machinery: OwnMachinery,
  node: string,
  attributes: AdmissionAttributes,
): string | undefined {
  const { target, operation } = attributes;
  if (target.resource.plural === 'resourceslices') return faultOfSlice(node, attributes);
  const isLease = target.resource.plural === 'leases';
  if (isLease && target.namespace !== leaseNamespace)
    return `can only access leases in the ${goQuote(leaseNamespace)} system namespace`;
  const name = operation === 'CREATE' ? attributes.object?.metadata.name : target.name;
  if (name === node) return undefined;
  const what = isLease ? 'node lease' : 'CSINode';
  return `can only access ${what} with the same name as the requesting node`;
}

function faultOfSlice(
  node: string,
  { operation, object, oldObject }: AdmissionAttributes,
): string | undefined {
  if (operation !== 'CREATE' && operation !== 'DELETE') return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  const slice = (operation === 'CREATE' ? object : oldObject) as { spec?: { nodeName?: string } } | undefined;
  return slice?.spec?.nodeName === node
    ? undefined
    : `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
}

/** A node may ask for certificates with its own name only. */
export function faultOfSigningRequest(
  _machinery: OwnMachinery,
  node: string,
  { operation, object }: AdmissionAttributes,
): string | undefined {
  if (operation !== 'CREATE') return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  const { spec } = object as unknown as CertificateSigningRequest;
  if (!nodeSigners.has(spec.signerName)) return undefined;
  const name = `system:node:${node}`;
  return commonNameOf(Buffer.from(spec.request, 'base64')) === name
    ? undefined
    : `can only create a node CSR with CN=${name}`;
}
