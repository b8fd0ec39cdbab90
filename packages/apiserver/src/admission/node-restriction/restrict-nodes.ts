import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { Node } from 'ots-kubernetes/core/v1';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { jsonEqual } from '../../json/json-equal.ts';

/** Labels with a domain of Kubernetes that a node may set on itself. */
const ownLabels = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

/** A node may write its Node object, but not what pods are scheduled by. */
export function faultOfNode(
  _machinery: OwnMachinery,
  node: string,
  { operation, target, object, oldObject }: AdmissionAttributes,
): string | undefined {
  const name = target.name || (object?.metadata.name ?? '');
  if (name !== node) return `node ${goQuote(node)} is not allowed to modify node ${goQuote(name)}`;
  if (operation === 'CREATE') return faultOfNew(node, object as Node);
  return operation === 'UPDATE' ? faultOfUpdate(node, object as Node, oldObject as Node) : undefined;
}

function faultOfNew(node: string, { metadata, spec }: Node): string | undefined {
  if (spec?.configSource)
    return `node ${goQuote(node)} is not allowed to create pods with a non-nil configSource`;
  const labels = forbiddenLabels(metadata?.labels, {});
  return labels === ''
    ? undefined
    : `node ${goQuote(node)} is not allowed to set the following labels: ${labels}`;
}

function faultOfUpdate(node: string, { metadata, spec }: Node, old: Node): string | undefined {
  const who = `node ${goQuote(node)} is not allowed to`;
  if (spec?.configSource && !jsonEqual(spec.configSource, old.spec?.configSource))
    return `${who} update configSource to a new non-nil configSource`;
  if (!jsonEqual(spec?.taints ?? [], old.spec?.taints ?? [])) return `${who} modify taints`;
  if (!jsonEqual(metadata?.ownerReferences ?? [], old.metadata?.ownerReferences ?? []))
    return `${who} modify ownerReferences`;
  const labels = forbiddenLabels(metadata?.labels, old.metadata?.labels);
  return labels === '' ? undefined : `is not allowed to modify labels: ${labels}`;
}

type Labels = Readonly<Record<string, string>>;

/** The changed labels that a node may not set, sorted. */
function forbiddenLabels(labels: Labels = {}, old: Labels = {}): string {
  const keys = [...new Set([...Object.keys(labels), ...Object.keys(old)])];
  return keys
    .filter((key) => labels[key] !== old[key] && isForbidden(key))
    .toSorted()
    .join(', ');
}

function isForbidden(label: string): boolean {
  const domain = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
  const isIn = (parent: string) => domain === parent || domain.endsWith(`.${parent}`);
  if (!isIn('kubernetes.io') && !isIn('k8s.io')) return false;
  return !ownLabels.has(label) && !isIn('kubelet.kubernetes.io') && !isIn('node.kubernetes.io');
}
