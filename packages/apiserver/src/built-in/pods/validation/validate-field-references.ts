import type { ObjectFieldSelector, ResourceFieldSelector } from 'ots-kubernetes/core/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { showQuantity } from '../../validation/validate-quantity.ts';

/** All fields of a pod that a reference can name. */
const knownFields = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);
const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/**
 * Validates a reference to a field of the pod.
 *
 * @param fields the fields allowed there, sorted
 */
export function validateFieldReference(
  { apiVersion, fieldPath }: ObjectFieldSelector,
  path: string,
  fields: readonly string[],
): FieldError[] {
  const field = `${path}.fieldPath`;
  if (!apiVersion) return [required(`${path}.apiVersion`)];
  if (!fieldPath) return [required(field)];
  const refuse = (detail: string) => [invalid(field, fieldPath, `error converting fieldPath: ${detail}`)];
  if (apiVersion !== 'v1') return refuse(`unsupported pod version: ${apiVersion}`);
  const [, map, key] = /^(.(?:(?!\[').)*)\['(.*)'\]$/s.exec(fieldPath) ?? [];
  if (map === 'metadata.annotations') return errorsOfRule(path, (key ?? '').toLowerCase(), qualifiedName);
  if (map === 'metadata.labels') return errorsOfRule(path, key ?? '', qualifiedName);
  if (map !== undefined) return refuse(`field label does not support subscript: ${fieldPath}`);
  // The old name of the field.
  const name = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!knownFields.has(name)) return refuse(`field label not supported: ${fieldPath}`);
  return fields.includes(name) ? [] : [notSupported(field, name, fields)];
}

/**
 * Validates a reference to a container's resources.
 *
 * @param needsContainer whether the reference must name the container, because it is outside of one
 */
export function validateResourceReference(
  { containerName, resource, divisor }: ResourceFieldSelector,
  path: string,
  needsContainer: boolean,
): FieldError[] {
  return [
    ...validateReferenced(needsContainer ? (containerName ?? '') : undefined, resource ?? '', path),
    ...validateDivisor(resource ?? '', divisor ?? '0', path),
  ];
}

function validateReferenced(container: string | undefined, resource: string, path: string): FieldError[] {
  if (container === '') return [required(`${path}.containerName`)];
  if (resource === '') return [required(`${path}.resource`)];
  if (resources.includes(resource) || /^(requests|limits)\.hugepages-/.test(resource)) return [];
  return [notSupported(`${path}.resource`, resource, resources)];
}

function validateDivisor(resource: string, divisor: string | number, path: string): FieldError[] {
  if (nanosOf(divisor) === 0n) return [];
  const rule = divisorRules.find(({ names }) => names.test(resource));
  if (!rule || rule.divisors.includes(showQuantity(divisor))) return [];
  const detail =
    rule.divisors.length === 2
      ? "only divisor's values 1m and 1 are supported with the cpu resource"
      : `only divisor's values ${sizes.join(', ')} are supported with the ${rule.resource} resource`;
  return [invalid(`${path}.divisor`, resource, detail)];
}

const divisorRules = [
  { names: /^(limits|requests)\.cpu$/, divisors: ['1m', '1'], resource: 'cpu' },
  { names: /^(limits|requests)\.memory$/, divisors: sizes, resource: 'memory' },
  {
    names: /^(limits|requests)\.ephemeral-storage$/,
    divisors: sizes,
    resource: 'local ephemeral storage',
  },
  { names: /^(limits|requests)\.hugepages-/, divisors: sizes, resource: 'hugepages' },
];
