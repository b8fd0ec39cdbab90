import type { ServiceAccountSubject, Subject } from 'ots-kubernetes/flowcontrol/v1';
import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { type FieldError, forbidden, notSupported, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';

const kinds = ['Group', 'ServiceAccount', 'User'];
/** The field of each kind of subject. */
const fields = [
  { kind: 'ServiceAccount', field: 'serviceAccount' },
  { kind: 'User', field: 'user' },
  { kind: 'Group', field: 'group' },
] as const;

/** Validates the subjects that a FlowSchema matches. */
export function validateFlowSubject(subject: Subject, path: string): FieldError[] {
  const { kind } = subject;
  if (!kinds.includes(kind)) return [notSupported(`${path}.kind`, kind, kinds)];
  return fields.flatMap((one) => {
    const field = `${path}.${one.field}`;
    const value = subject[one.field];
    if (one.kind !== kind)
      return value
        ? [forbidden(field, `${one.field} is forbidden when subject kind is not '${one.kind}'`)]
        : [];
    if (!value) return [required(field, `${one.field} is required when subject kind is '${kind}'`)];
    if ('namespace' in value) return validateServiceAccount(value, field);
    return value.name === '' ? [required(`${field}.name`)] : [];
  });
}

function validateServiceAccount({ name, namespace }: ServiceAccountSubject, path: string): FieldError[] {
  return [
    ...(name === ''
      ? [required(`${path}.name`)]
      : name === '*'
        ? []
        : errorsOfRule(`${path}.name`, name, subdomain)),
    ...(namespace === ''
      ? [required(`${path}.namespace`, 'must specify namespace for service account')]
      : errorsOfRule(`${path}.namespace`, namespace, dnsLabel)),
  ];
}
