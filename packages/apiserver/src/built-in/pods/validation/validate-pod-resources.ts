import type { Quantity } from 'ots-kubernetes';
import type { PodSpec, ResourceRequirements } from 'ots-kubernetes/core/v1';
import { type Amount, formatQuantity, nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { isHugePages } from '../../validation/resource-names.ts';
import { showQuantity } from '../../validation/validate-quantity.ts';
import { validateResourceName } from '../../validation/validate-resource-name.ts';
import { sumOfContainers } from '../sum-of-containers.ts';
import { validateResources } from './validate-resources.ts';

/** Validates the resources of a whole pod: its containers must fit into them. */
export function validatePodResources(
  spec: PodSpec,
  claims: ReadonlySet<string>,
  specPath: string,
): FieldError[] {
  const { resources, os } = spec;
  if (!resources) return [];
  const path = `${specPath}.resources`;
  if (os?.name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  return [
    ...(resources.claims
      ? [forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level')]
      : []),
    ...validateResources(resources, claims, path, validateName),
    ...validateSums(spec, resources, path),
    ...validateLimits(spec, resources, path),
  ];
}

function validateName(field: string, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePages(name)) return errors;
  return [notSupported(field, name, ['cpu', 'hugepages-', 'memory'])];
}

/** None of the pod's own quantities may be below the sum of its containers. */
function validateSums(
  spec: PodSpec,
  { requests = {}, limits = {} }: ResourceRequirements,
  path: string,
): FieldError[] {
  const ofLimits = Object.entries(limits).filter(([name]) => isHugePages(name));
  return [
    ...tooSmall(Object.entries(requests), sumOfContainers(spec, 'requests'), `${path}.requests`, 'requests'),
    ...tooSmall(ofLimits, sumOfContainers(spec, 'limits'), `${path}.limits`, 'limits'),
  ];
}

function tooSmall(
  amounts: readonly [name: string, amount: Quantity][],
  sums: ReadonlyMap<string, Amount>,
  path: string,
  what: string,
): FieldError[] {
  return amounts.flatMap(([name, amount]) => {
    const sum = sums.get(name);
    if (!sum || sum.nanos <= nanosOf(amount)) return [];
    const detail = `must be greater than or equal to aggregate container ${what} of ${formatQuantity(sum)}`;
    return [invalid(`${path}[${name}]`, showQuantity(amount), detail)];
  });
}

function validateLimits(
  { containers }: PodSpec,
  { limits = {} }: ResourceRequirements,
  path: string,
): FieldError[] {
  return (containers ?? []).flatMap(({ resources }, index) =>
    Object.entries(resources?.limits ?? {}).flatMap(([name, limit]) => {
      const podLimit = Object.hasOwn(limits, name) ? limits[name] : undefined;
      if (podLimit === undefined || nanosOf(limit) <= nanosOf(podLimit)) return [];
      const field = `${path}.containers[${index}][${name}].limits`;
      const detail = `must be less than or equal to pod limits of ${showQuantity(podLimit)}`;
      return [invalid(field, showQuantity(limit), detail)];
    }),
  );
}
