import type { ObjectMeta } from 'ots-kubernetes';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { PersistentVolumeClaim, Pod, Volume } from 'ots-kubernetes/core/v1';
import {
  configMapsOf,
  isMirrorPod,
  mirrorAnnotation,
  secretsOf,
} from '../../authorization/pod-references.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { findObject } from './find-object.ts';

/** A node may create and delete its mirror pods, and write the status of its pods and evict them. */
export function faultOfPod(
  machinery: OwnMachinery,
  node: string,
  attributes: AdmissionAttributes,
): string | undefined {
  const { target, operation } = attributes;
  switch (target.subresource) {
    case '':
      if (operation === 'CREATE') return faultOfMirrorPod(machinery, node, attributes.object as Pod);
      if (operation !== 'DELETE')
        return `unexpected operation "${operation}", node ${goQuote(node)} can only create and delete mirror pods`;
      return isBound(machinery, node, attributes)
        ? undefined
        : `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`;
    case 'status':
      return operation === 'UPDATE'
        ? faultOfStatus(node, attributes.object as Pod, attributes.oldObject as Pod)
        : `unexpected operation "${operation}"`;
    case 'eviction':
      return isBound(machinery, node, attributes)
        ? undefined
        : `node ${node} can only evict pods with spec.nodeName set to itself`;
    default:
      return `unexpected pod subresource ${goQuote(target.subresource)}, only 'status' and 'eviction' are allowed`;
  }
}

/** @throws {StatusError} 404 when the pod does not exist */
function isBound(machinery: OwnMachinery, node: string, { target, object }: AdmissionAttributes): boolean {
  const name = target.name || (object?.metadata.name ?? '');
  return findObject(machinery, 'pods', target.namespace, name).spec?.nodeName === node;
}

function faultOfMirrorPod(machinery: OwnMachinery, node: string, pod: Pod): string | undefined {
  const who = `node ${goQuote(node)}`;
  if (!isMirrorPod(pod))
    return `pod does not have ${goQuote(mirrorAnnotation)} annotation, ${who} can only create mirror pods`;
  if (pod.spec?.nodeName !== node) return `${who} can only create pods with spec.nodeName set to itself`;
  const fault = faultOfOwners(machinery, node, pod.metadata ?? {});
  if (fault !== undefined) return fault;
  const referenced = referencedBy(pod);
  return referenced === undefined ? undefined : `${who} can not create pods that reference ${referenced}`;
}

/** Only the node owns its mirror pods. */
function faultOfOwners(
  machinery: OwnMachinery,
  node: string,
  { ownerReferences = [] }: ObjectMeta,
): string | undefined {
  const who = `node ${goQuote(node)}`;
  const [owner, ...others] = ownerReferences;
  if (others.length > 0) return `${who} can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `${who} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true)
    return `${who} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true)
    return `${who} must not set blockOwnerDeletion on an owner reference`;
  const { uid } = findObject(machinery, 'nodes', '', node).metadata ?? {};
  return owner.uid === uid ? undefined : `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
}

/** What a pod refers to, so that its node could read it; undefined for nothing. */
function referencedBy(pod: Pod): string | undefined {
  const { serviceAccountName = '', resourceClaims = [], volumes = [] } = pod.spec ?? {};
  if (serviceAccountName !== '') return 'serviceaccounts';
  if (secretsOf(pod).some(Boolean)) return 'secrets';
  if (configMapsOf(pod).some(Boolean)) return 'configmaps';
  if (resourceClaims.length > 0) return 'resourceclaims';
  return volumes.map(referencedByVolume).find((what) => what !== undefined);
}

/** Sources with names of Secrets and ConfigMaps are not here: a pod with those was refused before. */
function referencedByVolume({
  csi,
  glusterfs,
  persistentVolumeClaim,
  ephemeral,
  projected,
}: Volume): string | undefined {
  if (csi) return 'csidrivers (via CSI volumes)';
  if (glusterfs) return 'endpoints (via glusterFS volumes)';
  if (persistentVolumeClaim) return 'persistentvolumeclaims';
  if (ephemeral) return 'persistentvolumeclaims (via ephemeral volumes)';
  for (const { serviceAccountToken, clusterTrustBundle, podCertificate } of projected?.sources ?? []) {
    if (serviceAccountToken) return 'serviceaccounts (via projected volumes)';
    if (clusterTrustBundle) return 'clustertrustbundles';
    if (podCertificate) return 'podcertificates';
  }
  return undefined;
}

function faultOfStatus(node: string, pod: Pod, old: Pod): string | undefined {
  const who = `node ${goQuote(node)}`;
  if (old.spec?.nodeName !== node)
    return `${who} can only update pod status for pods with spec.nodeName set to itself`;
  if (!jsonEqual(pod.metadata?.labels ?? {}, old.metadata?.labels ?? {}))
    return `${who} cannot update labels through pod status`;
  const { resourceClaimStatuses: claims = [], extendedResourceClaimStatus: extended } = pod.status ?? {};
  const before = old.status ?? {};
  if (!jsonEqual(claims, before.resourceClaimStatuses ?? []))
    return `${who} cannot update resource claim statues`;
  return jsonEqual(extended, before.extendedResourceClaimStatus)
    ? undefined
    : `${who} cannot update extended resource claim status`;
}

/** A node may write the sizes and conditions in the status of a claim. */
export function faultOfClaim(
  _machinery: OwnMachinery,
  node: string,
  { target, operation, object, oldObject }: AdmissionAttributes,
): string | undefined {
  if (target.subresource !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE') return `unexpected operation "${operation}"`;
  const [claim, old] = [object, oldObject].map((one) => restOfClaim(one as PersistentVolumeClaim));
  return jsonEqual(claim, old)
    ? undefined
    : `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

/** What a node must not change. */
function restOfClaim(claim: PersistentVolumeClaim): object {
  const { resourceVersion: _, managedFields: _fields, ...metadata } = claim.metadata ?? {};
  const {
    capacity: _capacity,
    conditions: _conditions,
    allocatedResources: _resources,
    allocatedResourceStatuses: _statuses,
    ...status
  } = claim.status ?? {};
  return { ...claim, metadata, status };
}
