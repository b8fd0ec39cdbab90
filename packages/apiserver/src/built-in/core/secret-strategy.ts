import type { Secret } from 'ots-kubernetes/core/v1';
import { setKey } from '../../json/json-object.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { validateImmutableData } from './validate-config-data.ts';
import { validateSecret } from './validate-secret.ts';
import { warningsForKeyPair } from './warnings-for-key-pair.ts';

/** Secrets: the type determines the required keys; `stringData` is write-only. */
export class SecretStrategy extends BuiltInStrategy {
  override setDefaults(object: BuiltInObject<Secret>): void {
    const { stringData } = object;
    if (stringData && Object.keys(stringData).length > 0) {
      const data = { ...object.data };
      for (const [key, value] of Object.entries(stringData))
        setKey(data, key, Buffer.from(value).toString('base64'));
      object.data = data;
    }
    delete object.stringData;
    object.type ||= 'Opaque';
  }

  override validate(object: BuiltInObject<Secret>): FieldError[] {
    return validateSecret(object);
  }

  override warningsFor({ type, data = {} }: BuiltInObject<Secret>): string[] {
    return type === 'kubernetes.io/tls' ? warningsForKeyPair(data['tls.crt'], data['tls.key']) : [];
  }

  override validateUpdate(object: BuiltInObject<Secret>, old: BuiltInObject<Secret>): FieldError[] {
    return [
      ...(object.type === old.type ? [] : [invalid('type', object.type, 'field is immutable')]),
      ...validateImmutableData(object, old, ['data']),
      ...this.validate(object),
    ];
  }
}
