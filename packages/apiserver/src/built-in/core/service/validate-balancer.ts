import type { Service, ServiceSpec } from 'ots-kubernetes/core/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateCidr } from '../../validation/validate-cidr.ts';

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyBalancer = "may only be used when `type` is 'LoadBalancer'";

/** Validates the fields of a LoadBalancer Service. */
export function validateBalancer(service: Service, old: Service | undefined): FieldError[] {
  const { spec = {} } = service;
  const { allocateLoadBalancerNodePorts: allocates, loadBalancerClass } = spec;
  const isBalancer = spec.type === 'LoadBalancer';
  return [
    ...(spec.loadBalancerSourceRanges?.length
      ? validateRanges(spec, old?.spec)
      : validateAnnotatedRanges(service, old)),
    ...(allocates !== undefined && !isBalancer
      ? [forbidden('spec.allocateLoadBalancerNodePorts', onlyBalancer)]
      : []),
    ...(allocates === undefined && isBalancer ? [required('allocateLoadBalancerNodePorts')] : []),
    ...(loadBalancerClass === undefined
      ? []
      : isBalancer
        ? errorsOfRule('spec.loadBalancerClass', loadBalancerClass, qualifiedName)
        : [forbidden('spec.loadBalancerClass', onlyBalancer)]),
  ];
}

/** Allows spaces around a range, for compatibility with an older annotation. */
function validateRanges(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  const field = 'spec.LoadBalancerSourceRanges';
  const known = trimmed(old?.loadBalancerSourceRanges);
  return [
    ...(spec.type === 'LoadBalancer' ? [] : [forbidden(field, onlyBalancer)]),
    ...trimmed(spec.loadBalancerSourceRanges).flatMap((range, index) =>
      validateCidr(range, `${field}[${index}]`, known),
    ),
  ];
}

function trimmed(ranges: readonly string[] = []): string[] {
  return ranges.map((range) => range.trim());
}

function validateAnnotatedRanges({ metadata, spec }: Service, old: Service | undefined): FieldError[] {
  const value = metadata.annotations?.[rangesAnnotation];
  if (value === undefined) return [];
  const field = `metadata.annotations[${rangesAnnotation}]`;
  const isKept = old?.metadata.annotations?.[rangesAnnotation] === value;
  const ranges = isKept || value.trim() === '' ? [] : value.split(',');
  return [
    ...(spec?.type === 'LoadBalancer' ? [] : [forbidden(field, onlyBalancer)]),
    ...ranges.flatMap((range) => validateCidr(range.trim(), field)),
  ];
}
