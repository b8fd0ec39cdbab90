import type { Schema } from '../../schema/json-schema.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';

const mapTypes = ['atomic', 'granular'];

/** Validates `x-kubernetes-map-type`. */
export function validateMapType(
  { type, 'x-kubernetes-map-type': mapType }: Schema,
  path: string,
): FieldError[] {
  if (mapType === undefined) return [];
  return [
    ...(type === 'object'
      ? []
      : [wrongType(type, `${path}.type`, 'must be object if x-kubernetes-map-type is specified')]),
    ...(mapTypes.includes(mapType) ? [] : [notSupported(`${path}.x-kubernetes-map-type`, mapType, mapTypes)]),
  ];
}

/** The schema has another type than the keyword requires, or none. */
export function wrongType(type: string | undefined, field: string, detail: string): FieldError {
  return type ? invalid(field, type, detail) : required(field, detail);
}
