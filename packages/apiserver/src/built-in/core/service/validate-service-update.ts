import type { Service, ServiceSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { serviceTraits } from './service-traits.ts';
import { validateService } from './validate-service.ts';

const fixed = 'may not change once set';

/** Validates an update of a Service, whose allocated fields are immutable. */
export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  const { spec = {} } = service;
  const { spec: oldSpec = {} } = old;
  return [
    ...validateKeptAddresses(spec, oldSpec),
    ...validateKeptFamilies(spec, oldSpec),
    ...(oldSpec.type === 'LoadBalancer' &&
    spec.type === 'LoadBalancer' &&
    oldSpec.loadBalancerClass !== spec.loadBalancerClass
      ? [invalid('spec.loadBalancerClass', spec.loadBalancerClass ?? null, fixed)]
      : []),
    ...(serviceTraits.needsHealthCheck(oldSpec) &&
    serviceTraits.needsHealthCheck(spec) &&
    spec.healthCheckNodePort !== oldSpec.healthCheckNodePort
      ? [forbidden('spec.healthCheckNodePort', 'field is immutable')]
      : []),
    ...validateService(service, old),
  ];
}

function validateKeptAddresses(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const { clusterIPs = [] } = spec;
  const { clusterIPs: before = [] } = old;
  const isFree = serviceTraits.isHeadless(spec) && serviceTraits.isHeadless(old);
  if (isFree || !serviceTraits.needsClusterIp(spec) || !serviceTraits.needsClusterIp(old)) return [];
  if (clusterIPs.length === before.length) {
    return before.flatMap((address, index) =>
      address === clusterIPs[index] ? [] : [invalid(`spec.clusterIPs[${index}]`, clusterIPs, fixed)],
    );
  }
  if (clusterIPs.length === 0)
    return [invalid('spec.clusterIPs[0]', clusterIPs, 'primary clusterIP can not be unset')];
  const isReleased = clusterIPs.length < before.length && spec.ipFamilyPolicy !== 'SingleStack';
  return [
    ...(before.length > 0 && before[0] !== clusterIPs[0]
      ? [invalid('spec.clusterIPs[0]', clusterIPs, fixed)]
      : []),
    ...(isReleased ? [mustBeSingle(spec, 'clusterIP')] : []),
  ];
}

function validateKeptFamilies(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const { ipFamilies = [] } = spec;
  const { ipFamilies: before = [] } = old;
  const isFree = serviceTraits.isHeadless(spec) || serviceTraits.isHeadless(old);
  if (isFree || !serviceTraits.needsClusterIp(spec) || !serviceTraits.needsClusterIp(old)) return [];
  const field = 'spec.ipFamilies[0]';
  if (ipFamilies.length === before.length) {
    return before.flatMap((family, index) =>
      family === ipFamilies[index] ? [] : [invalid(field, ipFamilies, fixed)],
    );
  }
  const isReleased = ipFamilies.length < before.length && spec.ipFamilyPolicy !== 'SingleStack';
  return [
    ...(before.length > 0 && ipFamilies.length > 0 && before[0] !== ipFamilies[0]
      ? [invalid(field, spec.clusterIPs ?? [], fixed)]
      : []),
    ...(isReleased ? [mustBeSingle(spec, 'ipFamily')] : []),
  ];
}

function mustBeSingle({ ipFamilyPolicy }: ServiceSpec, what: string): FieldError {
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return invalid('spec.ipFamilyPolicy', ipFamilyPolicy ?? null, detail);
}
