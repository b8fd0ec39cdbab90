import type { Pod, PodSpec, Volume } from 'ots-kubernetes/core/v1';
import { environmentSecrets } from './secret-references.ts';

/** Whether a pod shows one that a node runs from a file. */
export function isMirrorPod({ metadata }: Pod): boolean {
  return Object.hasOwn(metadata?.annotations ?? {}, 'kubernetes.io/config.mirror');
}

/** Why a mirror pod is refused: it must need nothing from the API. Undefined if it is fine. */
export function faultOfMirrorPod({ spec = { containers: [] } }: Pod): string | undefined {
  if (spec.serviceAccountName) return 'a mirror pod may not reference service accounts';
  if (usesSecrets(spec)) return 'a mirror pod may not reference secrets';
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (!sources.some((source) => source.serviceAccountToken)) return undefined;
  return 'a mirror pod may not use ServiceAccountToken volume projections';
}

function usesSecrets(spec: PodSpec): boolean {
  const { containers, initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  const all = [...containers, ...initContainers, ...ephemeralContainers];
  return (
    (spec.imagePullSecrets ?? []).length > 0 ||
    all.some((container) => environmentSecrets(container).length > 0) ||
    volumes.some(isFromSecret)
  );
}

function isFromSecret(volume: Volume): boolean {
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi, azureFile, secret, projected } =
    volume;
  const references = [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map(
    (source) => source?.secretRef,
  );
  return (
    [...references, csi?.nodePublishSecretRef, azureFile?.secretName, secret?.secretName].some(Boolean) ||
    (projected?.sources?.some((source) => source.secret) ?? false)
  );
}
