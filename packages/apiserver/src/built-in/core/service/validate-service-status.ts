import type { LoadBalancerIngress, Service } from 'ots-kubernetes/core/v1';
import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { parseIp } from '../../validation/ip-address.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateIp } from '../../validation/validate-ip.ts';

const path = 'status.loadBalancer.ingress';

/** Validates the load balancer's status. */
export function validateServiceStatus({ spec, status }: Service, old: Service): FieldError[] {
  const { ingress = [] } = status?.loadBalancer ?? {};
  if (spec?.type !== 'LoadBalancer')
    return ingress.length > 0 ? [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")] : [];
  const known = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress.flatMap((item, index) => validateIngress(item, `${path}[${index}]`, known));
}

function validateIngress(
  { ip, ipMode, hostname }: LoadBalancerIngress,
  field: string,
  known: readonly string[],
): FieldError[] {
  return [
    ...(ip ? validateIp(ip, `${field}.ip`, known) : []),
    ...validateMode(ip, ipMode, `${field}.ipMode`),
    ...(hostname ? errorsOfRule(`${field}.hostname`, hostname, subdomain) : []),
    ...(hostname && parseIp(hostname)
      ? [invalid(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address')]
      : []),
  ];
}

function validateMode(ip: string | undefined, mode: string | undefined, field: string): FieldError[] {
  if (mode === undefined) return ip ? [required(field, 'must be specified when `ip` is set')] : [];
  if (!ip) return [forbidden(field, 'may not be specified when `ip` is not set')];
  return validateChoice(field, mode, ['Proxy', 'VIP']);
}
