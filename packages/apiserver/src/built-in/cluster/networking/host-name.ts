import { type NameRule, subdomain } from 'ots-apimachinery/names';

const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** The name of a host, or `*.` and a domain for all hosts in it. */
export const hostName: NameRule = (host) => {
  if (!host.includes('*')) return subdomain(host);
  const isWildcard = host.startsWith('*.') && subdomain(host.slice(2).slice(0, 253)).length === 0;
  return [
    ...(host.length > 253 ? ['must be no more than 253 characters'] : []),
    ...(isWildcard ? [] : [wildcardRule]),
  ];
};
