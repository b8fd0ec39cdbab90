import type { HostAlias, PodDNSConfig, PodSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { searchDomain } from '../../validation/text-rules.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { validateIp } from '../../validation/validate-ip.ts';

// The limits of Linux resolvers.
const maxNameservers = 3;
const maxSearches = 32;
const maxSearchListLength = 2048;
const maxHostnameLength = 64;

/** Validates the DNS settings and the hostname of a pod. */
export function validateDns(spec: PodSpec, path: string): FieldError[] {
  const { dnsPolicy, dnsConfig, hostname, subdomain: domain, hostAliases } = spec;
  return [
    ...requireChoice(`${path}.dnsPolicy`, dnsPolicy, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateConfig(dnsConfig, dnsPolicy === 'None', `${path}.dnsConfig`),
    ...validateHostnameOverride(spec, `${path}.hostnameOverride`),
    ...(hostname ? errorsOfRule(`${path}.hostname`, hostname, dnsLabel) : []),
    ...(domain ? errorsOfRule(`${path}.subdomain`, domain, dnsLabel) : []),
    ...validateAliases(hostAliases ?? [], `${path}.hostAliases`),
  ];
}

function validateAliases(aliases: readonly HostAlias[], path: string): FieldError[] {
  return aliases.flatMap(({ ip, hostnames }, index) => [
    ...validateIp(ip ?? '', `${path}[${index}].ip`),
    ...(hostnames ?? []).flatMap((name, at) =>
      errorsOfRule(`${path}[${index}].hostnames[${at}]`, name, subdomain),
    ),
  ]);
}

/** @param isNeeded whether no other setting determines the name servers */
function validateConfig(config: PodDNSConfig | undefined, isNeeded: boolean, path: string): FieldError[] {
  if (!config) return isNeeded ? [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')] : [];
  const { nameservers = [], searches = [], options = [] } = config;
  if (isNeeded && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [required(`${path}.nameservers`, detail)];
  }
  return [
    ...(nameservers.length > maxNameservers
      ? [invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers')]
      : []),
    ...nameservers.flatMap((address, index) => validateIp(address, `${path}.nameservers[${index}]`)),
    ...validateSearches(searches, `${path}.searches`),
    ...options.flatMap(({ name }, index) =>
      name ? [] : [required(`${path}.options[${index}]`, 'must not be empty')],
    ),
  ];
}

function validateSearches(searches: readonly string[], field: string): FieldError[] {
  const isLong = Buffer.byteLength(searches.join(' ')) > maxSearchListLength;
  return [
    ...(searches.length > maxSearches
      ? [invalid(field, searches, `must not have more than ${maxSearches} search paths`)]
      : []),
    ...(isLong
      ? [
          invalid(
            field,
            searches,
            `must not have more than ${maxSearchListLength} characters (including spaces) in the search list`,
          ),
        ]
      : []),
    ...searches.flatMap((search, index) =>
      search === '.' ? [] : errorsOfRule(`${field}[${index}]`, search.replace(/\.$/, ''), searchDomain),
    ),
  ];
}

function validateHostnameOverride(spec: PodSpec, field: string): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return [];
  return [
    ...(setHostnameAsFQDN ? [forbidden(field, 'may not be specified when setHostnameAsFQDN is true')] : []),
    ...(hostNetwork ? [forbidden(field, 'may not be specified when hostNetwork is true')] : []),
    ...(name.length > maxHostnameLength ? [tooLong(field, maxHostnameLength)] : []),
    ...errorsOfRule(field, name, subdomain),
  ];
}
