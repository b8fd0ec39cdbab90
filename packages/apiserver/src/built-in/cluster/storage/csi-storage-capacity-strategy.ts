import type { CSIStorageCapacity } from 'ots-kubernetes/storage/v1';
import { subdomain } from 'ots-apimachinery/names';
import { amountOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';
import { type SelectorTolerance, validateLabelSelector } from '../../validation/validate-label-selector.ts';

const immutable = ['nodeTopology', 'storageClassName'] as const;

/** CSIStorageCapacities: the free capacity of a storage class in a part of the cluster. */
export class CsiStorageCapacityStrategy extends BuiltInStrategy {
  override validate(object: BuiltInObject<CSIStorageCapacity>): FieldError[] {
    return validate(object, { invalidValues: false });
  }

  override validateUpdate(
    object: BuiltInObject<CSIStorageCapacity>,
    old: BuiltInObject<CSIStorageCapacity>,
  ): FieldError[] {
    const oldErrors = old.nodeTopology ? validateLabelSelector(old.nodeTopology, 'nodeTopology') : [];
    return [
      ...validate(object, { invalidValues: oldErrors.length > 0 }),
      ...immutable.flatMap((field) => validateImmutable(field, object[field], old[field])),
    ];
  }
}

function validate(object: BuiltInObject<CSIStorageCapacity>, tolerance: SelectorTolerance): FieldError[] {
  const { nodeTopology, storageClassName, capacity = 0 } = object;
  const { nanos = 0n } = amountOf(capacity) ?? {};
  return [
    ...(nodeTopology ? validateLabelSelector(nodeTopology, 'nodeTopology', tolerance) : []),
    ...errorsOfRule('storageClassName', storageClassName, subdomain),
    ...(nanos < 0n ? [invalid('capacity', capacity, 'must be greater than or equal to 0')] : []),
  ];
}
