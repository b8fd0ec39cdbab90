import type { NetworkPolicyPort } from 'ots-kubernetes/networking/v1';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { portNumber, validatePort } from '../../validation/port-rules.ts';

const protocols: readonly unknown[] = ['TCP', 'UDP', 'SCTP'];

/** Validates a port, by number or name, or a range of ports. */
export function validatePolicyPort(policyPort: NetworkPolicyPort, path: string): FieldError[] {
  const { protocol, port, endPort } = policyPort;
  return [
    ...(protocol === undefined || protocols.includes(protocol)
      ? []
      : [notSupported(`${path}.protocol`, protocol, protocols)]),
    ...(port === undefined ? [] : validatePort(port, `${path}.port`)),
    ...(endPort === undefined ? [] : validateEnd(port, endPort, `${path}.endPort`)),
  ];
}

function validateEnd(port: NetworkPolicyPort['port'], endPort: number, field: string): FieldError[] {
  if (port === undefined)
    return [invalid(field, endPort, 'may not be specified when `port` is not specified')];
  if (typeof port === 'string')
    return [invalid(field, endPort, 'may not be specified when `port` is non-numeric')];
  return [
    ...(endPort < port ? [invalid(field, port, 'must be greater than or equal to `port`')] : []),
    ...portNumber(endPort).map((message) => invalid(field, endPort, message)),
  ];
}
