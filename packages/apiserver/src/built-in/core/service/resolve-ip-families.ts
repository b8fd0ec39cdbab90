import type { ServiceSpec } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { parseIp } from '../../validation/ip-address.ts';
import { serviceTraits } from './service-traits.ts';
import { validateClusterIps } from './validate-cluster-ips.ts';

/**
 * Determines the address families of a Service. The cluster only has IPv4. Changes `spec`.
 *
 * @param old undefined when the Service is new
 * @returns why the requested ones are not available
 */
export function resolveIpFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (!serviceTraits.needsClusterIp(spec) || (old && keepsFamilies(spec, old))) return [];
  const isFree = spec.clusterIP === 'None' && !serviceTraits.hasSelector(spec);
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const errors = validateClusterIps(spec, old);
  if (errors.length > 0) return errors;
  const violations = [...fitToPolicy(spec, old), ...inferFamilies(spec)];
  if (violations.length > 0) return violations;
  if (isFree) {
    addFamilies(spec);
    return [];
  }
  const refused = refuseUnserved(spec);
  if (refused.length === 0 && !spec.ipFamilies?.length) spec.ipFamilies = ['IPv4'];
  return refused;
}

/** A Service that prefers two families keeps those that it has. */
function keepsFamilies(spec: ServiceSpec, old: ServiceSpec): boolean {
  const { ipFamilyPolicy: policy = 'PreferDualStack' } = old;
  return (
    policy === 'PreferDualStack' &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    old.type === spec.type &&
    jsonEqual(spec.clusterIPs ?? [], old.clusterIPs ?? []) &&
    jsonEqual(spec.ipFamilies ?? [], old.ipFamilies ?? [])
  );
}

function fitToPolicy(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') {
    return [
      ...(isReduced(spec.clusterIPs, old?.clusterIPs) ? [releaseError(spec, 'cluster IP')] : []),
      ...(isReduced(spec.ipFamilies, old?.ipFamilies) ? [releaseError(spec, 'IP family')] : []),
    ];
  }
  // Requesting one family without changing the list gives up the second one.
  if (old && jsonEqual(spec.clusterIPs, old.clusterIPs) && spec.clusterIPs)
    spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (old && jsonEqual(spec.ipFamilies, old.ipFamilies) && spec.ipFamilies)
    spec.ipFamilies = spec.ipFamilies.slice(0, 1);
  return [
    ...(spec.clusterIPs?.length === 2 ? [multipleError(spec, 'cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [multipleError(spec, 'IP families')] : []),
  ];
}

function isReduced(list: readonly unknown[] = [], old: readonly unknown[] = []): boolean {
  return list.length > 0 && list.length < old.length;
}

function releaseError(spec: ServiceSpec, what: string): FieldError {
  return policyError(spec, `must be 'SingleStack' to release the secondary ${what}`);
}

function multipleError(spec: ServiceSpec, what: string): FieldError {
  return policyError(
    spec,
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
  );
}

/** The family follows from the addresses. */
function inferFamilies(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [] } = spec;
  const families = [...(spec.ipFamilies ?? [])];
  if (clusterIPs[0] === 'None' || clusterIPs.length <= families.length) return [];
  const errors: FieldError[] = [];
  for (const [index, address] of clusterIPs.entries()) {
    const family = parseIp(address)?.family;
    if (index < families.length || family === undefined) continue;
    if (family === 'IPv4') families.push(family);
    else
      errors.push(
        invalid(`spec.clusterIPs[${index}]`, clusterIPs, `${family} is not configured on this cluster`),
      );
  }
  spec.ipFamilies = families;
  return errors;
}

/** Endpoints maintained by others may be of any family, whatever the cluster has. */
function addFamilies(spec: ServiceSpec): void {
  const families = spec.ipFamilies?.length ? [...spec.ipFamilies] : (['IPv4'] as const);
  const other = families[0] === 'IPv4' ? 'IPv6' : 'IPv4';
  const isDual = spec.ipFamilyPolicy !== 'SingleStack' && families.length < 2;
  spec.ipFamilies = isDual ? [...families, other] : [...families];
}

function refuseUnserved(spec: ServiceSpec): FieldError[] {
  return [
    ...(spec.ipFamilyPolicy === 'RequireDualStack'
      ? [policyError(spec, 'this cluster is not configured for dual-stack services')]
      : []),
    ...(spec.ipFamilies ?? []).flatMap((family, index) =>
      family === 'IPv4'
        ? []
        : [invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

function policyError({ ipFamilyPolicy }: ServiceSpec, detail: string): FieldError {
  return invalid('spec.ipFamilyPolicy', ipFamilyPolicy, detail);
}
