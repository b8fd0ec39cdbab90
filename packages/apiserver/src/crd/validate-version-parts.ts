import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from 'ots-kubernetes/apiextensions/v1';
import { jsonEqual } from '../json/json-equal.ts';
import { type FieldError, invalid, required } from '../status/field-error.ts';
import { validateSchema } from './schema/validate-schema.ts';
import { validateSelectableFields } from './validate-selectable-fields.ts';

type Version = CustomResourceDefinitionVersion;

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

const movableParts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/**
 * Validates schemas, subresources, columns and selectable fields. A server first moves those that all versions
 * share to the top.
 */
export function validateVersionParts(versions: readonly Version[]): FieldError[] {
  // Compared once: there may be very many versions.
  const shared = new Set(movableParts.filter((part) => isShared(versions, part)));
  const isSchemaShared = shared.has('schema');
  const anyStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
  const at = (index: number, part: (typeof movableParts)[number]) =>
    shared.has(part) ? (index > 0 ? undefined : 'spec') : `spec.versions[${index}]`;
  return versions.flatMap((version, index) => {
    const schema = version.schema?.openAPIV3Schema;
    const [schemaAt, scaleAt, columnsAt, fieldsAt] = [
      at(index, 'schema'),
      at(index, 'subresources'),
      at(index, 'additionalPrinterColumns'),
      at(index, 'selectableFields'),
    ];
    const schemaPath = schemaAt === 'spec' ? 'spec.validation' : `${schemaAt}.schema`;
    const hasStatus =
      schemaAt === 'spec' || shared.has('subresources')
        ? anyStatus
        : version.subresources?.status !== undefined;
    return [
      ...(schema && schemaAt ? validateSchema(schema, schemaPath, hasStatus) : []),
      ...(version.subresources?.scale && scaleAt
        ? validateScale(version.subresources.scale, `${scaleAt}.subresources.scale`)
        : []),
      ...(columnsAt ? (version.additionalPrinterColumns ?? []) : []).flatMap((column, position) =>
        validateColumn(column, `${columnsAt}.additionalPrinterColumns[${position}]`),
      ),
      ...(version.selectableFields && fieldsAt
        ? validateSelectableFields(
            version.selectableFields,
            isSchemaShared === (fieldsAt === 'spec') ? schema : undefined,
            fieldsAt,
          )
        : []),
    ];
  });
}

function isShared(versions: readonly Version[], part: keyof Version): boolean {
  return versions.every((version) => jsonEqual(version[part], versions[0]?.[part]));
}

function validateScale(scale: CustomResourceSubresourceScale, path: string): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...(specReplicasPath
      ? validatePath(specReplicasPath, `${path}.specReplicasPath`, ['.spec.'], 'under .spec')
      : [required(`${path}.specReplicasPath`)]),
    ...(statusReplicasPath
      ? validatePath(statusReplicasPath, `${path}.statusReplicasPath`, ['.status.'], 'under .status')
      : [required(`${path}.statusReplicasPath`)]),
    ...(labelSelectorPath
      ? validatePath(
          labelSelectorPath,
          `${path}.labelSelectorPath`,
          ['.spec.', '.status.'],
          'under either .spec or .status',
        )
      : []),
  ];
}

function validatePath(path: string, field: string, starts: readonly string[], place: string): FieldError[] {
  if (!path.startsWith('.')) return [invalid(field, path, 'must be a simple json path starting with .')];
  if (starts.some((start) => path.startsWith(start))) return [];
  return [invalid(field, path, `should be a json path ${place}`)];
}

function validateColumn(
  { name, type, format, jsonPath }: CustomResourceColumnDefinition,
  path: string,
): FieldError[] {
  const oneOf = `must be one of ${columnTypes.join(',')}`;
  return [
    ...(name ? [] : [required(`${path}.name`)]),
    ...(type ? [] : [required(`${path}.type`, oneOf)]),
    ...(type && !columnTypes.includes(type) ? [invalid(`${path}.type`, type, oneOf)] : []),
    ...(format && !columnFormats.includes(format)
      ? [invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`)]
      : []),
    ...(jsonPath ? [] : [required(`${path}.JSONPath`)]),
    ...(jsonPath && !jsonPath.startsWith('.')
      ? [invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .')]
      : []),
  ];
}
