import type { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { isNativeResource } from '../../validation/resource-names.ts';

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Validates the status that volume controllers set. */
export function validateClaimStatus({ status = {} }: PersistentVolumeClaim): FieldError[] {
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = status;
  const states = 'status.allocatedResourceStatuses';
  const allocated = 'status.allocatedResources';
  return [
    ...negatives(capacity, 'status.capacity'),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, state]) => [
      ...validateKey(states, name),
      ...(resizeStates.includes(state) ? [] : [notSupported(states, name, resizeStates.toSorted())]),
    ]),
    ...Object.keys(allocatedResources).flatMap((name) => validateKey(allocated, name)),
    ...negatives(allocatedResources, allocated),
  ];
}

function negatives(amounts: Record<string, string | number>, path: string): FieldError[] {
  return Object.entries(amounts)
    .filter(([, amount]) => nanosOf(amount) < 0n)
    .map(([name, amount]) => {
      const whole = Number(nanosOf(amount) / 1_000_000_000n);
      return invalid(`${path}[${name}]`, whole, 'must be a valid resource quantity');
    });
}

function validateKey(field: string, name: string): FieldError[] {
  const errors = errorsOfRule(field, name, qualifiedName);
  if (errors.length > 0 || name === 'storage' || !isNativeResource(name)) return errors;
  return [notSupported(field, name, ['storage'])];
}
