import type { DeepReadonly } from 'ots-runtime';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import type { CachedRevision } from '../revisions/revision-history.ts';
import { templateOf } from '../revisions/revision-data.ts';
import { type CachedSet, ordinalOf, podNameLabel, revisionLabel } from './identity.ts';

type Volume = NonNullable<NonNullable<CachedPod['spec']>['volumes']>[number];

/** A pod of a set with its identity, which is its name, and its storage. */
export function statefulPod(set: CachedSet, revision: CachedRevision, ordinal: number): CachedPod {
  const { metadata, spec } = podFromTemplate(templateOf(revision), set);
  const name = `${set.metadata.name}-${ordinal}`;
  const pod: CachedPod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name, labels: { ...metadata.labels, [revisionLabel]: revision.metadata.name! } },
    spec: {
      ...spec!,
      hostname: name,
      ...(set.spec.serviceName !== undefined && { subdomain: set.spec.serviceName }),
    },
  };
  return withStorage(set, withIdentity(pod, ordinal), ordinal);
}

/** The pod as the set needs it: the same object if nothing is missing. */
export function repaired(set: CachedSet, pod: CachedPod): CachedPod {
  const ordinal = ordinalOf(set, pod)!;
  const identified =
    pod.metadata.labels?.[podNameLabel] === pod.metadata.name ? pod : withIdentity(pod, ordinal);
  return hasStorage(set, pod) ? identified : withStorage(set, identified, ordinal);
}

/** The name of a claim that a template makes for a pod. */
export function claimName(set: CachedSet, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

function withIdentity(pod: CachedPod, ordinal: number): CachedPod {
  const { metadata } = pod;
  const labels = {
    ...metadata.labels,
    [podNameLabel]: metadata.name!,
    'apps.kubernetes.io/pod-index': String(ordinal),
  };
  return { ...pod, metadata: { ...metadata, labels } };
}

function withStorage(set: CachedSet, pod: CachedPod, ordinal: number): CachedPod {
  const claims = claimVolumes(set, ordinal);
  if (claims.length === 0) return pod;
  const names = new Set(claims.map(({ name }) => name));
  const others = pod.spec?.volumes?.filter(({ name }) => !names.has(name)) ?? [];
  return { ...pod, spec: { ...pod.spec!, volumes: [...claims, ...others] } };
}

/** Whether the volumes of a pod are the claims of the set's templates. */
export function hasStorage(set: CachedSet, pod: CachedPod): boolean {
  return claimVolumes(set, ordinalOf(set, pod)!).every(({ name, persistentVolumeClaim }) =>
    pod.spec?.volumes?.some(
      (volume) =>
        volume.name === name && volume.persistentVolumeClaim?.claimName === persistentVolumeClaim!.claimName,
    ),
  );
}

function claimVolumes(set: CachedSet, ordinal: number): DeepReadonly<Volume>[] {
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata: { name = '' } }) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(set, name, ordinal) },
  }));
}
