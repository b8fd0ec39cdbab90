import type { Container, PersistentVolume, Pod, Volume } from 'ots-kubernetes/core/v1';

/** Volume sources with a Secret in the field `secretRef`. */
const sourcesWithSecret = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'] as const;
/** Those of them whose Secret is in the namespace of the claim, unless they name another one. */
const sourcesInClaimNamespace = ['cephfs', 'flexVolume', 'iscsi', 'rbd', 'scaleIO'] as const;

/** The annotation of pods that a node runs without the server, and shows there. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';

type Names = readonly (string | undefined)[];

/** A mirror pod gives its node no rights, because the node can create it. */
export function isMirrorPod({ metadata }: Pod): boolean {
  return metadata?.annotations?.[mirrorAnnotation] !== undefined;
}

/** The names of the Secrets that a pod uses; undefined for references without a name. */
export function secretsOf({ spec }: Pod): Names {
  return [
    ...(spec?.imagePullSecrets ?? []).map(({ name }) => name),
    ...containersOf(spec).flatMap(({ envFrom = [], env = [] }) => [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec?.volumes ?? []).flatMap(secretsOfVolume),
  ];
}

function secretsOfVolume(volume: Volume): Names {
  const { secret, azureFile, csi, projected } = volume;
  return [
    secret?.secretName,
    azureFile?.secretName,
    csi?.nodePublishSecretRef?.name,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
    ...sourcesWithSecret.map((source) => volume[source]?.secretRef?.name),
  ];
}

/** The names of the ConfigMaps that a pod uses. */
export function configMapsOf({ spec }: Pod): Names {
  return [
    ...containersOf(spec).flatMap(({ envFrom = [], env = [] }) => [
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ]),
    ...(spec?.volumes ?? []).flatMap(({ configMap, projected }) => [
      configMap?.name,
      ...(projected?.sources ?? []).map((source) => source.configMap?.name),
    ]),
  ];
}

/** The names of the PersistentVolumeClaims that a pod uses, including those that a controller creates for it. */
export function claimsOf({ metadata, spec }: Pod): Names {
  return (spec?.volumes ?? []).map(({ name, persistentVolumeClaim, ephemeral }) =>
    ephemeral ? `${metadata?.name}-${name}` : persistentVolumeClaim?.claimName,
  );
}

/** The names of the ResourceClaims that a pod uses. Those of templates are in its status. */
export function resourceClaimsOf({ spec, status }: Pod): Names {
  const statuses = status?.resourceClaimStatuses ?? [];
  return [
    ...(spec?.resourceClaims ?? []).map(
      ({ name, resourceClaimName }) =>
        resourceClaimName ?? statuses.find((claim) => claim.name === name)?.resourceClaimName,
    ),
    status?.extendedResourceClaimStatus?.resourceClaimName,
  ];
}

/** The Secrets that a node needs to mount a volume, as `namespace/name`. */
export function secretsOfPersistentVolume({ spec }: PersistentVolume): Names {
  const { azureFile, cinder, storageos, csi, claimRef } = spec ?? {};
  const inClaim = (namespace = '', name = '') => key(namespace || claimRef?.namespace, name);
  return [
    azureFile && inClaim(azureFile.secretNamespace, azureFile.secretName),
    ...sourcesInClaimNamespace.map((source) => {
      const secret = spec?.[source]?.secretRef;
      return secret && inClaim(secret.namespace, secret.name);
    }),
    ...[
      cinder?.secretRef,
      storageos?.secretRef,
      csi?.nodePublishSecretRef,
      csi?.nodeStageSecretRef,
      csi?.nodeExpandSecretRef,
    ].map((secret) => secret && key(secret.namespace, secret.name)),
  ];
}

function key(namespace = '', name = ''): string {
  return `${namespace}/${name}`;
}

type Environment = Pick<Container, 'env' | 'envFrom'>;

function containersOf(spec: Pod['spec']): Environment[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  return [...initContainers, ...containers, ...ephemeralContainers];
}
