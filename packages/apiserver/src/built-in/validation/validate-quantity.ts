import type { Quantity } from 'ots-kubernetes';
import { amountOf, formatQuantity, nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { isWholeResource } from './resource-names.ts';

const unit = 1_000_000_000n;

/** Checks that a quantity is not negative. */
export function validateNonNegativeQuantity(field: string, quantity: Quantity): FieldError[] {
  if (nanosOf(quantity) >= 0n) return [];
  return [invalid(field, showQuantity(quantity), 'must be greater than or equal to 0')];
}

/** Validates a quantity of a resource: not negative, and an integer where the resource requires it. */
export function validateResourceQuantity(field: string, resource: string, quantity: Quantity): FieldError[] {
  const errors = validateNonNegativeQuantity(field, quantity);
  if (!isWholeResource(resource) || nanosOf(quantity) % unit === 0n) return errors;
  return [...errors, invalid(field, showQuantity(quantity), 'must be an integer')];
}

/** A quantity as messages show it. */
export function showQuantity(quantity: Quantity): string {
  const amount = amountOf(quantity);
  return amount ? formatQuantity(amount) : `${quantity}`;
}
