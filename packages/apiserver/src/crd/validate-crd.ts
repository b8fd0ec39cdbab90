import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import { jsonEqual } from '../objects/json-equal.ts';
import { dns1035Label, subdomain } from '../registry/name-rules.ts';
import { type FieldError, invalid, notSupported, required } from '../status/field-error.ts';
import { type Crd, storageVersion } from './crd-types.ts';
import { validateStructural } from './validate-structural.ts';

const scopes = ['Cluster', 'Namespaced'];
const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const protectedGroup = /(^|\.)(k8s|kubernetes)\.io$/;
const approval = 'api-approved.kubernetes.io';

/**
 * Checks a definition: its names, its versions, and that their schemas are structural. CEL rules are not compiled, and
 * conversion by webhook is not there.
 */
export function validateCrd(crd: Crd): FieldError[] {
  const { metadata, spec } = crd;
  const expected = `${spec.names.plural}.${spec.group}`;
  return [
    ...(metadata.name === expected
      ? []
      : [invalid('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...(protectedGroup.test(spec.group) && !metadata.annotations?.[approval]
      ? [
          required(
            `metadata.annotations[${approval}]`,
            `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`,
          ),
        ]
      : []),
    ...validateSpec(crd),
    ...(storageVersion(crd)
      ? []
      : [invalid('status.storedVersions', null, 'must have at least one stored version')]),
  ];
}

/** Checks a new state of a definition, and what it may not change. */
export function validateCrdUpdate(crd: Crd, old: Crd): FieldError[] {
  const { spec } = crd;
  const established = old.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  return [
    ...validateSpec(crd),
    ...immutable('spec.group', spec.group, old.spec.group),
    ...immutable('spec.names.plural', spec.names.plural, old.spec.names.plural),
    ...(established ? immutable('spec.scope', spec.scope, old.spec.scope) : []),
    ...(established ? immutable('spec.names.kind', spec.names.kind, old.spec.names.kind) : []),
    ...validateStoredVersions(crd, old),
  ];
}

function validateSpec(crd: Crd): FieldError[] {
  const { group, scope, conversion } = crd.spec;
  return [
    ...validateGroup(group),
    ...(scopes.includes(scope)
      ? []
      : [scope ? notSupported('spec.scope', scope, scopes) : required('spec.scope')]),
    ...validateVersions(crd),
    ...validateNames(crd),
    ...(conversion?.strategy === 'None'
      ? []
      : [notSupported('spec.conversion.strategy', conversion?.strategy, ['None'])]),
    ...(crd.spec.preserveUnknownFields
      ? [
          invalid(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ];
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  return [
    ...subdomain(group).map((message) => invalid('spec.group', group, message)),
    ...(group.includes('.')
      ? []
      : [invalid('spec.group', group, 'should be a domain with at least one dot')]),
  ];
}

function validateNames({ spec: { names } }: Crd): FieldError[] {
  const { kind, listKind, shortNames = [], categories = [] } = names;
  return [
    ...(['plural', 'singular'] as const).flatMap((field) =>
      names[field] ? validateLabel(field, names[field]) : [required(`spec.names.${field}`)],
    ),
    ...(['kind', 'listKind'] as const).flatMap((field) => validateKind(`spec.names.${field}`, names[field])),
    ...shortNames.flatMap((name, index) => validateLabel(`shortNames[${index}]`, name)),
    ...(kind !== '' && kind === listKind
      ? [invalid('spec.names.listKind', listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, index) => validateLabel(`categories[${index}]`, name)),
  ];
}

function validateKind(field: string, kind: string | undefined): FieldError[] {
  if (!kind) return [required(field)];
  return dns1035Label(kind.toLowerCase()).map((message) =>
    invalid(field, kind, `may have mixed case, but should otherwise match: ${message}`),
  );
}

function validateVersions(crd: Crd): FieldError[] {
  const { versions } = crd.spec;
  const names = versions.map(({ name }) => name);
  return [
    ...versions.flatMap((version, index) => validateVersion(version, index, versions)),
    ...(new Set(names).size === names.length
      ? []
      : [invalid('spec.versions', versions, 'must contain unique version names')]),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [
          invalid(
            'spec.versions',
            versions.length === 0 ? null : versions,
            'must have exactly one version marked as storage version',
          ),
        ]),
  ];
}

function validateVersion(
  version: CustomResourceDefinitionVersion,
  index: number,
  all: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  const path = `spec.versions[${index}]`;
  const schema = version.schema?.openAPIV3Schema;
  // A server moves a schema that all versions share to the top before it checks it.
  const isShared = all.every((other) => jsonEqual(other.schema, version.schema));
  const schemaPath = isShared ? 'spec.validation.openAPIV3Schema' : `${path}.schema.openAPIV3Schema`;
  const columns = version.additionalPrinterColumns ?? [];
  return [
    ...dns1035Label(version.name).map((message) => invalid(`${path}.name`, version.name, message)),
    ...(schema ? [] : [required(`${path}.schema.openAPIV3Schema`)]),
    ...(schema && !(isShared && index > 0) ? validateStructural(schema, schemaPath) : []),
    ...columns.flatMap((column, position) =>
      validateColumn(column, `spec.additionalPrinterColumns[${position}]`),
    ),
  ];
}

function validateColumn(
  { name, type, jsonPath }: { name: string; type: string; jsonPath: string },
  path: string,
): FieldError[] {
  return [
    ...(name ? [] : [required(`${path}.name`)]),
    ...(columnTypes.includes(type)
      ? []
      : [invalid(`${path}.type`, type, `must be one of ${columnTypes.join(',')}`)]),
    ...(jsonPath?.startsWith('.')
      ? []
      : [
          jsonPath
            ? invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .')
            : required(`${path}.JSONPath`),
        ]),
  ];
}

function validateStoredVersions(crd: Crd, old: Crd): FieldError[] {
  const names = new Set(crd.spec.versions.map(({ name }) => name));
  return (old.status?.storedVersions ?? []).flatMap((version, index) => {
    if (names.has(version)) return [];
    const detail = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
    return [invalid(`status.storedVersions[${index}]`, version, detail)];
  });
}

function validateLabel(field: string, name: string): FieldError[] {
  return dns1035Label(name).map((message) => invalid(`spec.names.${field}`, name, message));
}

function immutable(field: string, value: unknown, before: unknown): FieldError[] {
  return value === before ? [] : [invalid(field, value, 'field is immutable')];
}
