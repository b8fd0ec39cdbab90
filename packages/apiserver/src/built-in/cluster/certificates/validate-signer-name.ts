import { type NameRule, dnsLabel, subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';

const maxDomainLength = 253;
const maxNameLength = 571;
const field = 'spec.signerName';

/** Validates the signer: `domain/path`. */
export function validateSignerName(name: string): FieldError[] {
  if (name === '') return [required(field)];
  const parts = name.split('/');
  const [domain = '', path = ''] = parts;
  if (parts.length !== 2)
    return [
      invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  return [
    ...(domain.length > maxDomainLength ? [tooLong(field, maxDomainLength)] : []),
    ...validateLabels(domain, dnsLabel),
    ...(domain.includes('.')
      ? []
      : [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]),
    ...validateLabels(path, subdomain),
    ...(name.length > maxNameLength ? [tooLong(field, maxNameLength)] : []),
  ];
}

/** Of several invalid labels the first is reported. */
function validateLabels(text: string, rule: NameRule): FieldError[] {
  const bad = text.split('.').find((label) => rule(label).length > 0);
  if (bad === undefined) return [];
  return rule(bad).map((message) => invalid(field, text, `validating label "${bad}": ${message}`));
}
