import type { VolumeAttributesClass } from 'ots-kubernetes/storage/v1';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { protect } from '../../core/persistent-volume/protect.ts';
import { validateParameters, validateProvisioner } from './validate-provisioner.ts';

const immutable = ['driverName', 'parameters'] as const;

/** VolumeAttributesClasses: volume parameters that can change while volumes are in use. */
export class VolumeAttributesClassStrategy extends BuiltInStrategy {
  override prepareForCreate(object: BuiltInObject<VolumeAttributesClass>): void {
    super.prepareForCreate(object);
    protect(object, 'kubernetes.io/vac-protection');
  }

  override validate({ driverName, parameters = {} }: BuiltInObject<VolumeAttributesClass>): FieldError[] {
    return [
      ...validateProvisioner(driverName, 'driverName'),
      ...validateParameters(parameters),
      ...(Object.keys(parameters).length > 0
        ? []
        : [required('parameters', 'must contain at least one key/value pair')]),
    ];
  }

  override validateUpdate(
    object: BuiltInObject<VolumeAttributesClass>,
    old: BuiltInObject<VolumeAttributesClass>,
  ): FieldError[] {
    return [
      ...immutable
        .filter((field) => !jsonEqual(object[field], old[field]))
        .map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
      ...this.validate(object),
    ];
  }
}
