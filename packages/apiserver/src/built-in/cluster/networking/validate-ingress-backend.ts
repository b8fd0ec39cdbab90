import type { TypedLocalObjectReference } from 'ots-kubernetes/core/v1';
import type { IngressBackend, IngressServiceBackend } from 'ots-kubernetes/networking/v1';
import { dnsLabel, pathSegment, subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { portName, portNumber } from '../../validation/port-rules.ts';

/** Validates the backend of a path: a port of a service, or another resource. */
export function validateIngressBackend({ resource, service }: IngressBackend, path: string): FieldError[] {
  if (resource && service) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return validateReference(resource, `${path}.resource`);
  if (service) return validateService(service, path);
  return [invalid(path, '', 'resource or service backend is required')];
}

/** Validates a reference to an object in the same namespace. */
export function validateReference(
  { apiGroup, kind, name }: TypedLocalObjectReference,
  path: string,
): FieldError[] {
  // Go writes null where the group is omitted.
  const group: string | null | undefined = apiGroup;
  return [
    ...(typeof group === 'string' ? errorsOfRule(`${path}.apiGroup`, group, subdomain) : []),
    ...(kind === '' ? [required(`${path}.kind`)] : errorsOfRule(`${path}.kind`, kind, pathSegment)),
    ...(name === '' ? [required(`${path}.name`)] : errorsOfRule(`${path}.name`, name, pathSegment)),
  ];
}

function validateService({ name, port = {} }: IngressServiceBackend, path: string): FieldError[] {
  const field = `${path}.service`;
  return [
    ...(name === '' ? [required(`${field}.name`)] : errorsOfRule(`${field}.name`, name, dnsLabel)),
    ...validatePort(port, path),
  ];
}

function validatePort(
  { name = '', number = 0 }: { name?: string; number?: number },
  path: string,
): FieldError[] {
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return errorsOfRule(`${path}.service.port.name`, name, portName);
  if (number === 0) return [required(path, 'port name or number is required')];
  return portNumber(number).map((message) => invalid(`${path}.service.port.number`, number, message));
}
