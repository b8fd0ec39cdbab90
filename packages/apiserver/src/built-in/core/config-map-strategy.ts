import type { ConfigMap } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid, tooLong } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import {
  maxConfigBytes,
  sizeOfValues,
  validateConfigKeys,
  validateImmutableData,
} from './validate-config-data.ts';

/** ConfigMaps: limited in size, and optionally immutable. */
export class ConfigMapStrategy extends BuiltInStrategy {
  override validate({ data = {}, binaryData = {} }: BuiltInObject<ConfigMap>): FieldError[] {
    const twice = Object.keys(data).filter((key) => Object.hasOwn(binaryData, key));
    const isLarge = sizeOfValues(data, 'utf8') + sizeOfValues(binaryData, 'base64') > maxConfigBytes;
    return [
      ...validateConfigKeys(data, 'data'),
      ...twice.map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
      ...validateConfigKeys(binaryData, 'binaryData'),
      ...(isLarge ? [tooLong('[]', maxConfigBytes)] : []),
    ];
  }

  override validateUpdate(object: BuiltInObject<ConfigMap>, old: BuiltInObject<ConfigMap>): FieldError[] {
    return [...validateImmutableData(object, old, ['data', 'binaryData']), ...this.validate(object)];
  }
}
