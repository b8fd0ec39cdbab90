import type { ServiceSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { requireChoice, validateChoice } from '../../validation/validate-choice.ts';
import { validatePort } from '../../validation/port-rules.ts';
import { serviceTraits } from './service-traits.ts';

const policies = ['Cluster', 'Local'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** Validates the traffic policies of a Service. */
export function validateTraffic(spec: ServiceSpec): FieldError[] {
  const { internalTrafficPolicy: internal, trafficDistribution } = spec;
  return [
    ...validateExternalPolicy(spec),
    ...validateHealthCheck(spec),
    ...(internal === undefined ? [] : validateChoice('spec.internalTrafficPolicy', internal, policies)),
    ...(trafficDistribution === undefined
      ? []
      : validateChoice('spec.trafficDistribution', trafficDistribution, distributions)),
  ];
}

function validateExternalPolicy(spec: ServiceSpec): FieldError[] {
  const field = 'spec.externalTrafficPolicy';
  const policy = spec.externalTrafficPolicy;
  if (serviceTraits.isExternallyAccessible(spec)) return requireChoice(field, policy, policies);
  return policy ? [invalid(field, policy, 'may only be set for externally-accessible services')] : [];
}

function validateHealthCheck(spec: ServiceSpec): FieldError[] {
  const field = 'spec.healthCheckNodePort';
  const { healthCheckNodePort: port } = spec;
  if (serviceTraits.needsHealthCheck(spec)) return port ? validatePort(port, field) : [required(field)];
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port ? [invalid(field, port, detail)] : [];
}
