import { type FieldError, invalid } from '../../status/field-error.ts';
import { validateNonNegative } from '../validation/validate-number.ts';

type Counts = Readonly<Record<string, unknown>>;

/**
 * Validates the counts of a status: none is negative, and parts do not exceed the whole.
 *
 * @param counts the fields with counts
 * @param parts the fields bounded by `replicas`
 * @param ready the name of `readyReplicas` in messages, which bounds `availableReplicas`
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

/** Checks that no count of a status is negative. */
export function validateCounts(status: object, names: readonly string[]): FieldError[] {
  const values: Counts = { ...status };
  return names.flatMap((name) => validateNonNegative(`status.${name}`, numberOf(values, name)));
}

/** Checks that the collision count does not decrease. */
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
