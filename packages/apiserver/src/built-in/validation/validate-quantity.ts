import type { Quantity } from 'ots-kubernetes';
import { formatQuantity, nanosOf, parseQuantity } from '../../objects/quantity.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { isWholeResource } from './resource-names.ts';

const unit = 1_000_000_000n;

/** Checks that an amount is not below zero. */
export function validateNonNegativeQuantity(field: string, quantity: Quantity): FieldError[] {
  if (nanosOf(quantity) >= 0n) return [];
  return [invalid(field, showQuantity(quantity), 'must be greater than or equal to 0')];
}

/** Checks an amount of a resource: not below zero, and whole where the resource comes in pieces. */
export function validateResourceQuantity(field: string, resource: string, quantity: Quantity): FieldError[] {
  const errors = validateNonNegativeQuantity(field, quantity);
  if (!isWholeResource(resource) || nanosOf(quantity) % unit === 0n) return errors;
  return [...errors, invalid(field, showQuantity(quantity), 'must be an integer')];
}

/** An amount as messages show it. */
export function showQuantity(quantity: Quantity): string {
  const amount = parseQuantity(quantity);
  return amount ? formatQuantity(amount) : `${quantity}`;
}
