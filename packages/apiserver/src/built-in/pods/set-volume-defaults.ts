import type { Volume } from 'ots-kubernetes/core/v1';
import { pullPolicyOf } from './image-tag.ts';
import { roundResources } from './round-resources.ts';

const fileMode = 0o644;

/** Sets the defaults of one volume of a pod. Changes it. */
export function setVolumeDefaults(volume: Volume): void {
  if (isEmpty(volume)) volume.emptyDir = {};
  const { hostPath, secret, configMap, downwardAPI, projected, ephemeral, image } = volume;
  if (hostPath) hostPath.type ??= '';
  for (const files of [secret, configMap, downwardAPI, projected]) if (files) files.defaultMode ??= fileMode;
  for (const { fieldRef } of downwardAPI?.items ?? []) if (fieldRef) fieldRef.apiVersion ||= 'v1';
  for (const source of projected?.sources ?? []) {
    for (const { fieldRef } of source.downwardAPI?.items ?? []) if (fieldRef) fieldRef.apiVersion ||= 'v1';
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
  }
  if (image) image.pullPolicy ||= pullPolicyOf(image.reference ?? '');
  const claim = ephemeral?.volumeClaimTemplate?.spec;
  if (!claim) return;
  claim.volumeMode ??= 'Filesystem';
  roundResources(claim.resources?.limits);
  roundResources(claim.resources?.requests);
}

/** Whether a volume only has a name. */
function isEmpty(volume: Volume): boolean {
  return !Object.entries(volume).some(([field, source]) => field !== 'name' && source !== undefined);
}
