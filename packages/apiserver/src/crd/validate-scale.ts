import type { ExactInteger } from '../json/exact-integer.ts';
import type { CustomResourceSubresourceScale } from 'ots-kubernetes/apiextensions/v1';
import type { ApiObject } from '../json/api-object.ts';
import { ScalePathError, integerAt, stepsOf, textAt } from '../registry/scale/scale-shape.ts';
import { type FieldError, invalid } from '../status/field-error.ts';

const maxInt32 = 2 ** 31 - 1;

/** Validates the desired replicas of an object where its Scale reads them. */
export function validateScaleSpec(
  object: ApiObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  return scale ? validateReplicas(object, scale.specReplicasPath) : [];
}

/** Validates the observed replicas of an object where its Scale reads them. */
export function validateScaleStatus(
  object: ApiObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  if (!scale) return [];
  const { statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...validateReplicas(object, statusReplicasPath),
    ...(labelSelectorPath
      ? read(labelSelectorPath, '', () => textAt(object, stepsOf(labelSelectorPath)))
      : []),
  ];
}

function validateReplicas(object: ApiObject, path: string): FieldError[] {
  let replicas: ExactInteger = 0;
  const errors = read(path, 0, () => (replicas = integerAt(object, stepsOf(path)) ?? 0));
  if (replicas < 0) return [invalid(path, replicas, 'should be a non-negative integer')];
  if (replicas > maxInt32) return [invalid(path, replicas, `should be less than or equal to ${maxInt32}`)];
  return errors;
}

/** An unreadable value is reported as absent. */
function read(path: string, nothing: unknown, attempt: () => unknown): FieldError[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (error instanceof ScalePathError) return [invalid(path, nothing, error.message)];
    throw error;
  }
}
