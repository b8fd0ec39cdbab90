import { type Schema, itemSchema } from '../../schema/json-schema.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../status/field-error.ts';
import { wrongType } from './validate-map-type.ts';

const listTypes = ['atomic', 'set', 'map'];

/** Validates `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`, and what they require of the items. */
export function validateListKeywords(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const field = `${path}.x-kubernetes-list-type`;
  const needsMap = 'must be map if x-kubernetes-list-map-keys is non-empty';
  if (listType === undefined) return keys.length > 0 ? [required(field, needsMap)] : [];
  const isArray = schema.type === 'array';
  return [
    ...(isArray
      ? []
      : [wrongType(schema.type, `${path}.type`, 'must be array if x-kubernetes-list-type is specified')]),
    ...(isArray && listType === 'set' ? validateSetItems(itemSchema(schema), path) : []),
    ...(listTypes.includes(listType) ? [] : [notSupported(field, listType, listTypes)]),
    ...(keys.length > 0 && listType !== 'map' ? [invalid(field, listType, needsMap)] : []),
    ...(listType === 'map' ? validateMapItems(schema, keys, path) : []),
    ...(listType === 'map' || listType === 'set' ? validateIdentity(schema, keys, path) : []),
  ];
}

/** The items of a set are compared as a whole. */
function validateSetItems(item: Schema | undefined, path: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = item?.['x-kubernetes-list-type'];
  if (item?.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(`${path}.items.x-kubernetes-list-type`, listType, detail)];
  if (item?.type !== 'object' || item['x-kubernetes-map-type'] === 'atomic') return [];
  return [invalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, detail)];
}

function validateMapItems(schema: Schema, keys: readonly string[], path: string): FieldError[] {
  const item = itemSchema(schema);
  const isObject = item?.type === 'object';
  return [
    ...(keys.length > 0
      ? []
      : [
          required(
            `${path}.x-kubernetes-list-map-keys`,
            'must not be empty if x-kubernetes-list-type is map',
          ),
        ]),
    ...(schema.items === undefined
      ? [required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')]
      : []),
    ...(Array.isArray(schema.items)
      ? [
          invalid(
            `${path}.items`,
            schema.items,
            'must only have a single schema if x-kubernetes-list-type is map',
          ),
        ]
      : []),
    ...(item && !isObject
      ? [
          invalid(
            `${path}.items.type`,
            item.type ?? '',
            "must be object if parent array's x-kubernetes-list-type is map",
          ),
        ]
      : []),
    ...(item && isObject ? validateKeys(item, keys, path) : []),
  ];
}

function validateKeys(item: Schema, keys: readonly string[], path: string): FieldError[] {
  const field = `${path}.x-kubernetes-list-map-keys`;
  const properties = item.properties ?? {};
  return keys.flatMap((key, index) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const isScalar = property?.type !== 'array' && property?.type !== 'object';
    return [
      ...(property ? [] : [invalid(field, keys, 'entries must all be names of item properties')]),
      ...(isScalar
        ? []
        : [
            invalid(
              `${path}.items.properties[${key}].type`,
              item.type,
              "must be a scalar type if parent array's x-kubernetes-list-type is map",
            ),
          ]),
      ...(keys.indexOf(key) < index ? [invalid(field, keys, 'must not contain duplicate entries')] : []),
    ];
  });
}

/** Every item, and every key in it, is needed for identity: it must be required or have a default. */
function validateIdentity(schema: Schema, keys: readonly string[], path: string): FieldError[] {
  const item = itemSchema(schema);
  if (!item) return [];
  const listType = schema['x-kubernetes-list-type'] ?? '';
  const known = keys.flatMap((key) => {
    const property =
      item.properties && Object.hasOwn(item.properties, key) ? item.properties[key] : undefined;
    return property && listType === 'map' ? [{ key, property }] : [];
  });
  return [
    ...(item.nullable
      ? [forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : []),
    ...known.flatMap(({ key, property }) => [
      ...(property.default === undefined && !item.required?.includes(key)
        ? [
            required(
              `${path}.items.properties[${key}].default`,
              'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
            ),
          ]
        : []),
      ...(property.nullable
        ? [
            forbidden(
              `${path}.items.properties[${key}].nullable`,
              'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
            ),
          ]
        : []),
    ]),
  ];
}
