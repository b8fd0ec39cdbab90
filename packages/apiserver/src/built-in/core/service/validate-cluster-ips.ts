import type { ServiceSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, duplicate, invalid, required } from '../../../status/field-error.ts';
import { parseIp } from '../../validation/ip-address.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateIp } from '../../validation/validate-ip.ts';
import { serviceTraits } from './service-traits.ts';

const path = 'spec.clusterIPs';

/** Validates the addresses of a Service against its address families. */
export function validateClusterIps(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (!serviceTraits.needsClusterIp(spec)) return [];
  const { clusterIPs = [] } = spec;
  const errors = [...validateFirst(spec), ...validateFamilies(spec), ...validatePolicy(spec)];
  const faulty = validateAddresses(clusterIPs, old?.clusterIPs);
  const tooMany = clusterIPs.length > 2 ? [invalid(path, clusterIPs, 'may only hold up to 2 values')] : [];
  errors.push(...faulty, ...tooMany);
  return faulty.length > 0 ? errors : [...errors, ...validateStack(clusterIPs), ...validateMatch(spec)];
}

function validateFirst({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIP === '')
    return clusterIPs.length > 0
      ? [invalid(path, clusterIPs, 'must be empty when `clusterIP` is not specified')]
      : [];
  if (clusterIPs.length === 0) return [required(path)];
  return clusterIPs[0] === clusterIP ? [] : [invalid(path, clusterIPs, 'first value must match `clusterIP`')];
}

function validateFamilies({ ipFamilies = [] }: ServiceSpec): FieldError[] {
  return ipFamilies.flatMap((family, index) => {
    const field = `spec.ipFamilies[${index}]`;
    return [
      ...validateChoice(field, family, ['IPv4', 'IPv6']),
      ...(ipFamilies.indexOf(family) < index ? [duplicate(field, family)] : []),
    ];
  });
}

function validatePolicy({ ipFamilyPolicy }: ServiceSpec): FieldError[] {
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  return ipFamilyPolicy === undefined ? [] : validateChoice('spec.ipFamilyPolicy', ipFamilyPolicy, policies);
}

function validateAddresses(addresses: readonly string[], known: readonly string[] | undefined): FieldError[] {
  return addresses.flatMap((address, index) => {
    if (index > 0 || address !== 'None') return validateIp(address, `${path}[${index}]`, known);
    return addresses.length > 1 ? [invalid(path, addresses, "'None' must be the first and only value")] : [];
  });
}

function validateStack(addresses: readonly string[]): FieldError[] {
  const families = new Set(addresses.map((address) => parseIp(address)?.family));
  return addresses.length > 1 && families.size < 2
    ? [invalid(path, addresses, 'may specify no more than one IP for each IP family')]
    : [];
}

function validateMatch(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (serviceTraits.isHeadless(spec)) return [];
  return clusterIPs.flatMap((address, index) => {
    const expected = ipFamilies[index];
    const isKnown = expected === 'IPv4' || expected === 'IPv6';
    if (!isKnown || parseIp(address)?.family === expected) return [];
    const detail = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``;
    return [invalid(`${path}[${index}]`, address, detail)];
  });
}
