import type { EnvVarSource } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { ContainerSpec } from '../container-run.ts';
import { ConfigurationError } from './configuration-error.ts';
import { type PodFacts, fieldValue, resourceValue } from './downward-values.ts';
import { expand } from './expand.ts';
import type { KeyValues } from './key-values.ts';

/**
 * The environment of a container.
 *
 * @param services the variables of Services, which those of the container hide
 * @throws {ConfigurationError} when a ConfigMap, a Secret or a key is missing and not optional
 */
export async function environmentOf(
  container: ContainerSpec,
  values: KeyValues,
  { facts, services }: { facts: PodFacts; services: ReadonlyMap<string, string> },
): Promise<ReadonlyMap<string, string>> {
  const environment = new Map<string, string>();
  const known = { get: (name: string) => environment.get(name) ?? services.get(name) };
  for (const { configMapRef, secretRef, prefix = '' } of container.envFrom ?? []) {
    const all = configMapRef
      ? await values.configMap(configMapRef.name, configMapRef.optional)
      : await values.secret(secretRef?.name, secretRef?.optional);
    for (const [key, value] of all ?? []) environment.set(`${prefix}${key}`, value);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const text = value
      ? expand(value, known)
      : valueFrom && (await valueOf(valueFrom, container, values, facts));
    if (text !== undefined || !valueFrom) environment.set(name, text ?? '');
  }
  return new Map([...services, ...environment]);
}

/** @returns undefined for an optional key that is missing */
async function valueOf(
  { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef }: DeepReadonly<EnvVarSource>,
  container: ContainerSpec,
  values: KeyValues,
  facts: PodFacts,
): Promise<string | undefined> {
  if (fieldRef) return fieldValue(fieldRef.fieldPath, facts);
  if (resourceFieldRef) return resourceValue(resourceFieldRef, container, facts.capacity);
  const selector = configMapKeyRef ?? secretKeyRef;
  if (!selector) return '';
  const { name, key, optional } = selector;
  const [kind, all] = configMapKeyRef
    ? ['ConfigMap', await values.configMap(name, optional)]
    : ['Secret', await values.secret(name, optional)];
  const value = all?.get(key);
  if (value === undefined && !optional)
    throw new ConfigurationError(`couldn't find key ${key} in ${kind} ${values.namespace}/${name}`);
  return value;
}
