import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { formatIp, parseIp } from '../../validation/ip-address.ts';
import { validateEndpointIp } from '../../validation/validate-endpoint-ip.ts';
import { validateIp } from '../../validation/validate-ip.ts';

/** Validates one address of an endpoint by the address type of the slice. */
export function validateSliceAddress(
  address: string,
  type: string,
  { field, index }: { field: string; index: number },
): FieldError[] {
  const own = `${field}[${index}]`;
  if (type === 'FQDN') return validateDomain(address, own);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = validateIp(address, own);
  if (errors.length > 0) return errors;
  const ip = parseIp(address);
  const canonical = ip && formatIp(ip);
  // Older servers stored such IPv4 addresses, but never such IPv6 ones.
  if (type === 'IPv6' && canonical !== address)
    return [invalid(own, address, `must be in canonical form ("${canonical}")`)];
  return [
    ...(ip?.family === type ? [] : [invalid(field, address, `must be an ${type} address`)]),
    ...validateEndpointIp(address, own),
  ];
}

function validateDomain(domain: string, field: string): FieldError[] {
  if (domain === '') return [required(field)];
  const name = domain.replace(/\.$/, '');
  const [problem] = problemsOfDomain(name);
  return problem ? [invalid(field, problem.text, problem.detail)] : [];
}

function problemsOfDomain(name: string): { text: string; detail: string }[] {
  const labels = name.split('.');
  return [
    { text: name, detail: subdomain(name).join(',') },
    {
      text: name,
      detail: labels.length < 2 ? 'should be a domain with at least two segments separated by dots' : '',
    },
    ...labels.map((label) => ({ text: label, detail: dnsLabel(label).join(',') })),
  ].filter(({ detail }) => detail !== '');
}
