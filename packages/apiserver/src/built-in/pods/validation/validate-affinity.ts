import type { Affinity, PodAffinity, PodAffinityTerm } from 'ots-kubernetes/core/v1';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { dnsLabel, qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateLabelSelector } from '../../validation/validate-label-selector.ts';
import {
  validateNodeSelector,
  validatePreferredNodes,
  validateWeight,
} from '../../validation/validate-node-selector.ts';

/** Validates node affinity, pod affinity and pod anti-affinity. */
export function validateAffinity(
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  path: string,
): FieldError[] {
  const demanded = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const nodes = `${path}.nodeAffinity`;
  return [
    ...(demanded
      ? validateNodeSelector(demanded, `${nodes}.requiredDuringSchedulingIgnoredDuringExecution`)
      : []),
    ...validatePreferredNodes(preferred, `${nodes}.preferredDuringSchedulingIgnoredDuringExecution`),
    ...(podAffinity ? validatePods(podAffinity, `${path}.podAffinity`) : []),
    ...(podAntiAffinity ? validatePods(podAntiAffinity, `${path}.podAntiAffinity`) : []),
  ];
}

function validatePods(affinity: PodAffinity, path: string): FieldError[] {
  const demanded = `${path}.requiredDuringSchedulingIgnoredDuringExecution`;
  const preferred = `${path}.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...(affinity.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) =>
      validateTerm(term, `${demanded}[${index}]`),
    ),
    ...(affinity.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(
      ({ weight, podAffinityTerm }, index) => [
        ...validateWeight(`${preferred}[${index}].weight`, weight),
        ...validateTerm(podAffinityTerm, `${preferred}[${index}].podAffinityTerm`),
      ],
    ),
  ];
}

function validateTerm(term: PodAffinityTerm, path: string): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey } = term;
  const field = `${path}.topologyKey`;
  return [
    ...(labelSelector ? validateLabelSelector(labelSelector, `${path}.labelSelector`) : []),
    ...(namespaceSelector ? validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`) : []),
    ...(namespaces ?? []).flatMap((name) => errorsOfRule(`${path}.namespace`, name, dnsLabel)),
    ...validateLabelKeys(term, path),
    ...(topologyKey === '' ? [required(field, 'can not be empty')] : []),
    ...errorsOfRule(field, topologyKey, qualifiedName),
  ];
}

/** Label keys whose values come from the pod, besides a selector. */
export interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: LabelSelector;
}

/**
 * Validates such keys. The selector already contains their expressions, so a key that occurs a second time there
 * came from the author.
 */
export function validateLabelKeys(keys: LabelKeys, path: string): FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = keys;
  return [
    ...validateKeys(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`),
    ...validateKeys(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`),
    ...(labelSelector ? validateRepeated(matchLabelKeys, labelSelector, path) : []),
    ...matchLabelKeys.flatMap((key, index) =>
      mismatchLabelKeys.includes(key)
        ? [
            invalid(
              `${path}.matchLabelKeys[${index}]`,
              key,
              'exists in both matchLabelKeys and mismatchLabelKeys',
            ),
          ]
        : [],
    ),
  ];
}

function validateKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  field: string,
): FieldError[] {
  if (keys.length === 0) return [];
  if (!selector) return [forbidden(field, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => errorsOfRule(`${field}[${index}]`, key, qualifiedName));
}

function validateRepeated(
  keys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  path: string,
): FieldError[] {
  const seen = new Set(Object.keys(matchLabels));
  return matchExpressions.flatMap(({ key }) => {
    const isRepeated = seen.has(key) && keys.includes(key);
    seen.add(key);
    if (!isRepeated) return [];
    const detail = 'exists in both matchLabelKeys and labelSelector';
    return [invalid(`${path}[${keys.lastIndexOf(key)}]`, key, detail)];
  });
}
