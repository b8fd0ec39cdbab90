import type { Service, ServiceSpec } from 'ots-kubernetes/core/v1';
import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { validateEndpointIp } from '../../validation/validate-endpoint-ip.ts';
import { validateIp } from '../../validation/validate-ip.ts';
import { validateLabels } from '../../validation/validate-label-selector.ts';
import { serviceTraits } from './service-traits.ts';
import { validateBalancer } from './validate-balancer.ts';
import { validateClusterIps } from './validate-cluster-ips.ts';
import { validateServicePorts } from './validate-service-ports.ts';
import { validateTraffic } from './validate-traffic.ts';

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const modeAnnotation = 'service.kubernetes.io/topology-mode';
const maxAffinitySeconds = 86_400;

/**
 * Validates a Service.
 *
 * @param old undefined when it is new
 */
export function validateService(service: Service, old: Service | undefined): FieldError[] {
  const { metadata, spec = {} } = service;
  return [
    ...validateTopology(metadata.annotations ?? {}),
    ...validateType(spec),
    ...validateServicePorts(spec),
    ...validateLabels(spec.selector ?? {}, 'spec.selector'),
    ...validateAffinity(spec),
    ...validateClusterIps(spec, old?.spec),
    ...validateExternalIps(spec.externalIPs ?? [], old?.spec?.externalIPs ?? []),
    ...validateBalancer(service, old),
    ...validateTraffic(spec),
  ];
}

function validateTopology(annotations: Record<string, string>): FieldError[] {
  const mode = annotations[modeAnnotation];
  const hints = annotations[hintsAnnotation];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  const detail = `must match annotations[${hintsAnnotation}] when both are specified`;
  return [invalid(`metadata.annotations[${modeAnnotation}]`, mode, detail)];
}

function validateType(spec: ServiceSpec): FieldError[] {
  const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
  const isHeadless = serviceTraits.isHeadless(spec);
  return [
    ...(!spec.ports?.length && !isHeadless && spec.type !== 'ExternalName' ? [required('spec.ports')] : []),
    ...(isHeadless && serviceTraits.hasNodePorts(spec)
      ? [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`)]
      : []),
    ...(spec.type === 'ExternalName' ? validateExternalName(spec) : []),
    ...requireChoice('spec.type', spec.type, types),
  ];
}

function validateExternalName(spec: ServiceSpec): FieldError[] {
  const unused = [
    ...(spec.clusterIPs?.length ? ['clusterIPs'] : []),
    ...(spec.ipFamilies?.length ? ['ipFamilies'] : []),
    ...(spec.ipFamilyPolicy === undefined ? [] : ['ipFamilyPolicy']),
  ];
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  return [
    ...unused.map((field) => forbidden(`spec.${field}`, 'may not be set for ExternalName services')),
    ...(name === '' ? [required('spec.externalName')] : errorsOfRule('spec.externalName', name, subdomain)),
  ];
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec): FieldError[] {
  const errors = requireChoice('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']);
  const seconds = config?.clientIP?.timeoutSeconds;
  if (
    sessionAffinity !== 'ClientIP' ||
    seconds === undefined ||
    (seconds > 0 && seconds <= maxAffinitySeconds)
  )
    return errors;
  const detail = `must be greater than 0 and less than ${maxAffinitySeconds}`;
  return [...errors, invalid('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, detail)];
}

function validateExternalIps(addresses: readonly string[], known: readonly string[]): FieldError[] {
  return addresses.flatMap((address, index) => {
    const field = `spec.externalIPs[${index}]`;
    const errors = validateIp(address, field, known);
    return errors.length > 0 ? errors : validateEndpointIp(address, field);
  });
}
