import type { Quantity } from 'ots-kubernetes';
import type { Node, NodeStatus } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, duplicate, forbidden, invalid } from '../../../status/field-error.ts';
import { parseIp } from '../../validation/ip-address.ts';
import { validateCidr } from '../../validation/validate-cidr.ts';
import { validateResourceQuantity } from '../../validation/validate-quantity.ts';
import { validateTaints } from './validate-taints.ts';

const cidrsPath = 'spec.podCIDRs';

/** Validates a node. */
export function validateNode({ spec = {}, status = {} }: Node): FieldError[] {
  const { podCIDRs = [] } = spec;
  return [
    ...validateTaints(spec.taints ?? []),
    ...validateAmounts(status),
    ...podCIDRs.flatMap((range, index) => validateCidr(range, `${cidrsPath}[${index}]`)),
    ...(isOnePerFamily(podCIDRs)
      ? []
      : [invalid(cidrsPath, podCIDRs, 'may specify no more than one CIDR for each IP family')]),
  ];
}

/** Validates immutable fields of a node in an update of it or its status. */
export function validateNodeUpdate({ spec = {}, status = {} }: Node, old: Node): FieldError[] {
  const { podCIDRs: before = [], providerID, externalID } = old.spec ?? {};
  const kept = 'node updates may not change';
  return [
    ...validateAmounts(status),
    ...validateAddresses(status.addresses ?? []),
    ...(before.length > 0 && !jsonEqual(before, spec.podCIDRs)
      ? [forbidden(cidrsPath, `${kept} podCIDR except from "" to valid`)]
      : []),
    ...(providerID && providerID !== spec.providerID
      ? [forbidden('spec.providerID', `${kept} providerID except from "" to valid`)]
      : []),
    ...validateTaints(spec.taints ?? []),
    ...(externalID === spec.externalID ? [] : [forbidden('spec.externalID', 'may not be updated')]),
  ];
}

function isOnePerFamily(ranges: readonly string[]): boolean {
  const families = ranges.map((range) => parseIp(range.split('/')[0] ?? '')?.family);
  return ranges.length < 2 || (ranges.length === 2 && new Set(families).size === 2);
}

function validateAmounts({ capacity = {}, allocatable = {} }: NodeStatus): FieldError[] {
  return [
    ...validateAmountsOf(capacity, 'status.capacity'),
    ...validateAmountsOf(allocatable, 'status.allocatable'),
  ];
}

function validateAmountsOf(amounts: Record<string, Quantity>, path: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) =>
    validateResourceQuantity(`${path}.${name}`, name, amount),
  );
}

function validateAddresses(addresses: NonNullable<NodeStatus['addresses']>): FieldError[] {
  return addresses.flatMap((address, index) => {
    const isTwice = addresses.slice(0, index).some((other) => jsonEqual(other, address));
    const shown = { Type: address.type, Address: address.address };
    return isTwice ? [duplicate(`status.addresses[${index}]`, shown)] : [];
  });
}
