import type { KeyToPath, Volume, VolumeProjection } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedPod } from '../../pods/pod-state.ts';
import { ConfigurationError } from './configuration-error.ts';
import { type PodFacts, fieldValue, resourceValue } from './downward-values.ts';
import type { KeyValues } from './key-values.ts';

/** The files of a volume by their paths in it. */
export type VolumeFiles = ReadonlyMap<string, string>;

/** What a volume is filled from. */
export interface VolumeSources {
  readonly values: KeyValues;
  readonly facts: PodFacts;
  /** Requests a token of the ServiceAccount of the pod. */
  readonly tokenFor: (audience: string | undefined, expirationSeconds: number | undefined) => Promise<string>;
}

/**
 * The contents of a volume of a ConfigMap, a Secret, fields of the pod, or several of them. Other volumes are empty.
 *
 * @throws {ConfigurationError} when a ConfigMap, a Secret or a key is missing and not optional
 */
export async function filesOf(volume: DeepReadonly<Volume>, sources: VolumeSources): Promise<VolumeFiles> {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (projected) {
    const parts: VolumeFiles[] = [];
    for (const source of projected.sources ?? []) parts.push(await projectedFiles(source, sources));
    return new Map(parts.flatMap((part) => [...part]));
  }
  return projectedFiles(
    {
      ...(configMap && { configMap }),
      ...(secret && { secret: { ...secret, name: secret.secretName ?? '' } }),
      ...(downwardAPI && { downwardAPI }),
    },
    sources,
  );
}

async function projectedFiles(
  { configMap, secret, downwardAPI, serviceAccountToken }: DeepReadonly<VolumeProjection>,
  { values, facts, tokenFor }: VolumeSources,
): Promise<VolumeFiles> {
  if (configMap) {
    const { name, items, optional } = configMap;
    const unknown = 'configmap references non-existent config key';
    return chosen(await values.configMap(name, optional), { items, optional, unknown });
  }
  if (secret) {
    const { name, items, optional } = secret;
    const unknown = 'references non-existent secret key';
    return chosen(await values.secret(name, optional), { items, optional, unknown });
  }
  if (serviceAccountToken) {
    const { path: file, audience, expirationSeconds } = serviceAccountToken;
    return new Map([[file, await tokenFor(audience, expirationSeconds)]]);
  }
  return new Map(
    (downwardAPI?.items ?? []).map(({ path: file, fieldRef, resourceFieldRef }) => {
      if (fieldRef) return [file, fieldValue(fieldRef.fieldPath, facts)];
      const { spec } = facts.pod;
      const container = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].find(
        ({ name }) => name === resourceFieldRef?.containerName,
      );
      return [file, container ? resourceValue(resourceFieldRef!, container, facts.capacity) : ''];
    }),
  );
}

/** All keys, or those that are listed under the paths that they have there. */
function chosen(
  all: VolumeFiles = new Map(),
  {
    items = [],
    optional,
    unknown,
  }: {
    items?: readonly DeepReadonly<KeyToPath>[] | undefined;
    optional?: boolean | undefined;
    unknown: string;
  },
): VolumeFiles {
  if (items.length === 0) return all;
  const files = new Map<string, string>();
  for (const { key, path: file } of items) {
    const value = all.get(key);
    if (value !== undefined) files.set(file, value);
    else if (!optional) throw new ConfigurationError(`${unknown}: ${key}`);
  }
  return files;
}

/** The kinds that fill volumes. */
export type VolumeKind = 'ConfigMap' | 'Secret';

/** Whether a volume of a pod has files of an object. */
export function mountsObject({ spec }: CachedPod, kind: VolumeKind, name: string): boolean {
  return (spec?.volumes ?? []).some(({ configMap, secret, projected }) => {
    const sources = [
      { configMap, secret: secret && { name: secret.secretName } },
      ...(projected?.sources ?? []),
    ];
    return sources.some((source) => (kind === 'ConfigMap' ? source.configMap : source.secret)?.name === name);
  });
}
