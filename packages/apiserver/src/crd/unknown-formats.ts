import { isKnownFormat } from 'ots-apimachinery/formats/formats';
import type { Schema } from '../schema/json-schema.ts';
import type { Crd } from './crd-types.ts';

/** The formats in a definition's schemas that a server does not validate, in the order of the schemas. */
export function unknownFormats({ spec }: Crd): string[] {
  return spec.versions.flatMap(({ schema }) =>
    schema?.openAPIV3Schema ? inSchema(schema.openAPIV3Schema) : [],
  );
}

function inSchema(schema: Schema): string[] {
  const { format, type = '', items, additionalProperties, not } = schema;
  const parts = [
    ...(Array.isArray(items) ? items : [items]),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    not,
    ...Object.values(schema.properties ?? {}),
    additionalProperties,
  ];
  return [
    ...(format && !isKnownFormat(format, type) ? [format] : []),
    ...parts.flatMap((part) => (typeof part === 'object' ? inSchema(part) : [])),
  ];
}
