import { type FieldError, invalid } from '../../status/field-error.ts';
import { validateNonNegative } from '../validation/validate-number.ts';

type Counts = Readonly<Record<string, unknown>>;

/**
 * Checks the numbers of a status: none is below zero, and parts are no more than the whole.
 *
 * @param counts the fields that are numbers
 * @param parts those that are at most `replicas`
 * @param ready how the message calls `readyReplicas`, which `availableReplicas` is at most
 */
export function validateReplicaStatus(
  status: object,
  counts: readonly string[],
  parts: readonly string[],
  ready: string,
): FieldError[] {
  const values: Counts = { ...status };
  const isReadyExceeded = numberOf(values, 'availableReplicas') > numberOf(values, 'readyReplicas');
  return [
    ...validateCounts(status, counts),
    ...parts
      .filter((name) => numberOf(values, name) > numberOf(values, 'replicas'))
      .map((name) => excess(values, name, 'status.replicas')),
    ...(isReadyExceeded ? [excess(values, 'availableReplicas', ready)] : []),
  ];
}

/** Checks that none of the numbers of a status is below zero. */
export function validateCounts(status: object, names: readonly string[]): FieldError[] {
  const values: Counts = { ...status };
  return names.flatMap((name) => validateNonNegative(`status.${name}`, numberOf(values, name)));
}

/** Checks that the number of collisions of names only grows. */
export function validateCollisionCount(
  { collisionCount }: { collisionCount?: number },
  { collisionCount: before }: { collisionCount?: number },
): FieldError[] {
  if (before === undefined || (collisionCount !== undefined && collisionCount >= before)) return [];
  return [invalid('status.collisionCount', collisionCount ?? 0, 'cannot be decremented')];
}

function excess(values: Counts, name: string, whole: string): FieldError {
  return invalid(`status.${name}`, numberOf(values, name), `cannot be greater than ${whole}`);
}

function numberOf(values: Counts, name: string): number {
  const value = values[name];
  return typeof value === 'number' ? value : 0;
}
