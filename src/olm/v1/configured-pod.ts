import type { ObjectMeta } from 'ots-kubernetes';
import type { Affinity, Container, PodSpec } from 'ots-kubernetes/core/v1';
import { isObject } from '../bundle/json.ts';
import type { DeploymentConfig } from './configuration.ts';
import { goJson, sortedJson } from './go-json.ts';

/** A pod with the changes of a user. Source: what operator-controller does with `deploymentConfig`. */
export function configuredPod(pod: Partial<PodSpec>, config: DeploymentConfig): Partial<PodSpec> {
  const { nodeSelector } = config;
  const { affinity: _, ...rest } = pod;
  const affinity = config.affinity ? mergedAffinity(pod.affinity, config.affinity) : pod.affinity;
  return {
    ...rest,
    ...(config.volumes && { volumes: replacedByName(pod.volumes, config.volumes) }),
    ...(config.tolerations && { tolerations: withoutRepeats(pod.tolerations, config.tolerations) }),
    ...(nodeSelector && { nodeSelector: { ...nodeSelector } }),
    ...(affinity && { affinity }),
    ...(pod.containers && {
      containers: pod.containers.map((container) => configuredContainer(container, config)),
    }),
  };
}

function configuredContainer(container: Container, config: DeploymentConfig): Container {
  const { env, envFrom, volumeMounts, resources } = config;
  return {
    ...container,
    ...(env && { env: replacedByName(container.env, env) }),
    ...(envFrom && { envFrom: withoutRepeats(container.envFrom, envFrom) }),
    ...(volumeMounts && { volumeMounts: replacedByName(container.volumeMounts, volumeMounts) }),
    ...(resources && { resources }),
  };
}

/** Annotations of the author win. */
export function configuredMetadata(
  metadata: Partial<ObjectMeta>,
  { annotations = {} }: DeploymentConfig,
): Partial<ObjectMeta> {
  return { ...metadata, annotations: { ...annotations, ...metadata.annotations } };
}

/** Given items replace those of the same name, and follow the others. */
function replacedByName<Item extends { readonly name: string }>(
  items: readonly Item[] = [],
  given: readonly Item[],
): Item[] {
  const result = [...items];
  const places = new Map(items.map(({ name }, index) => [name, index]));
  for (const item of given) {
    const place = places.get(item.name);
    if (place === undefined) result.push(item);
    else result[place] = item;
  }
  return result;
}

/** Given items follow the others, if none is the same. */
function withoutRepeats<Item>(items: readonly Item[] = [], given: readonly Item[]): Item[] {
  const textOf = (item: Item) => goJson(sortedJson(item));
  const known = new Set(items.map(textOf));
  const result = [...items];
  for (const item of given) {
    if (known.has(textOf(item))) continue;
    known.add(textOf(item));
    result.push(item);
  }
  return result;
}

/** Without parts, it removes all; an empty part removes that part. */
function mergedAffinity(affinity: Affinity | undefined, given: Affinity): Affinity | undefined {
  if (Object.keys(given).length === 0) return undefined;
  const parts = Object.entries({ ...affinity, ...given }).filter(
    ([name, part]) => !(Object.hasOwn(given, name) && isEmptyPart(part)),
  );
  return parts.every(([, part]) => isEmptyPart(part)) ? undefined : Object.fromEntries(parts);
}

function isEmptyPart(part: unknown): boolean {
  if (Array.isArray(part)) return part.length === 0;
  if (!isObject(part)) return false;
  return Object.values(part).every(isEmptyPart);
}
