import type { HTTPIngressPath, IngressRule, IngressSpec, IngressTLS } from 'ots-kubernetes/networking/v1';
import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { parseIp } from '../../validation/ip-address.ts';
import { hostName } from './host-name.ts';
import { validateIngressBackend } from './validate-ingress-backend.ts';

/** Faults that an Ingress may keep, because an older server did not check them. */
interface IngressTolerance {
  secretNames: boolean;
  wildcardRules: boolean;
}

const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEnds = ['/..', '/.'];

/** The faults that may stay, judging by the spec before an update. */
export function toleranceOf(old?: IngressSpec): IngressTolerance {
  return {
    secretNames: (old?.tls ?? []).some(({ secretName }) => secretName && subdomain(secretName).length > 0),
    wildcardRules: (old?.rules ?? []).some(
      (rule) => rule.host?.includes('*') && validatePaths(rule, '').length > 0,
    ),
  };
}

/** Validates the spec of an Ingress. */
export function validateIngressSpec(spec: IngressSpec, tolerance: IngressTolerance): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  return [
    ...(rules.length === 0 && !defaultBackend
      ? [invalid('spec', null, 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...(defaultBackend ? validateIngressBackend(defaultBackend, 'spec.defaultBackend') : []),
    ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`, tolerance)),
    ...tls.flatMap((item, index) => validateTls(item, `spec.tls[${index}]`, tolerance)),
    ...(ingressClassName === undefined
      ? []
      : errorsOfRule('spec.ingressClassName', ingressClassName, subdomain)),
  ];
}

function validateTls(
  { hosts = [], secretName }: IngressTLS,
  path: string,
  tolerance: IngressTolerance,
): FieldError[] {
  return [
    ...hosts.flatMap((host, index) => errorsOfRule(`${path}.hosts[${index}]`, host, hostName)),
    ...(secretName && !tolerance.secretNames
      ? errorsOfRule(`${path}.secretName`, secretName, subdomain)
      : []),
  ];
}

function validateRule(rule: IngressRule, path: string, tolerance: IngressTolerance): FieldError[] {
  const { host = '' } = rule;
  return [
    ...(parseIp(host) ? [invalid(`${path}.host`, host, 'must be a DNS name, not an IP address')] : []),
    ...(host === '' ? [] : errorsOfRule(`${path}.host`, host, hostName)),
    ...(host.includes('*') && tolerance.wildcardRules ? [] : validatePaths(rule, path)),
  ];
}

function validatePaths({ http }: IngressRule, path: string): FieldError[] {
  if (!http) return [];
  const field = `${path}.http.paths`;
  if (!http.paths?.length) return [required(field)];
  return http.paths.flatMap((item, index) => validatePath(item, `${field}[${index}]`));
}

function validatePath({ path = '', pathType, backend }: HTTPIngressPath, at: string): FieldError[] {
  if ((pathType ?? undefined) === undefined)
    return [required(`${at}.pathType`, 'pathType must be specified')];
  return [...validatePathOfType(path, pathType, at), ...validateIngressBackend(backend, `${at}.backend`)];
}

function validatePathOfType(path: string, pathType: string, at: string): FieldError[] {
  const relative = path.startsWith('/') ? [] : [invalid(`${at}.path`, path, 'must be an absolute path')];
  switch (pathType) {
    case 'Exact':
    case 'Prefix':
      return [
        ...relative,
        ...forbiddenParts
          .filter((part) => path.includes(part))
          .map((part) => invalid(`${at}.path`, path, `must not contain '${part}'`)),
        ...forbiddenEnds
          .filter((end) => path.endsWith(end))
          .map((end) => invalid(`${at}.path`, path, `cannot end with '${end}'`)),
      ];
    case 'ImplementationSpecific':
      return path === '' ? [] : relative;
    default:
      return [notSupported(`${at}.pathType`, pathType, ['Exact', 'ImplementationSpecific', 'Prefix'])];
  }
}
