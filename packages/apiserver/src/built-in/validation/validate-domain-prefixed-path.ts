import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** Validates a name of the form `domain/path`, as controllers use. */
export function validateDomainPrefixedPath(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  const [, domain = '', path = ''] = /^([^/]*)\/(.*)$/s.exec(name) ?? [];
  if (domain === '' || path === '')
    return [invalid(field, name, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...errorsOfRule(field, domain, subdomain),
    ...(new RegExp(`^${pathPattern}$`).test(path)
      ? []
      : [invalid(field, path, `Invalid path (regex used for validation is '${pathPattern}')`)]),
  ];
}
