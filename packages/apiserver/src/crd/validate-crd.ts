import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from 'ots-kubernetes/apiextensions/v1';
import type { ApiObject } from '../objects/api-object.ts';
import { jsonEqual } from '../objects/json-equal.ts';
import { isObject } from '../objects/json-object.ts';
import { dnsLabel, subdomain } from '../registry/name-rules.ts';
import { type FieldError, invalid, notSupported, required } from '../status/field-error.ts';
import { type Crd, asCrd } from './crd-types.ts';
import { validateStructural } from './validate-structural.ts';

const immutableMessage = 'field is immutable';

/**
 * Checks a definition: its names, its versions, and that their schemas are structural. CEL rules are not compiled.
 */
export function validateCrd(object: ApiObject): FieldError[] {
  if (!isObject(object['spec'])) return [required('spec')];
  const shapeErrors = validateShape(object['spec']);
  if (shapeErrors.length > 0) return shapeErrors;
  const { metadata, spec } = asCrd(object);
  return [
    ...validateName(metadata.name ?? '', spec),
    ...validateGroup(spec.group),
    ...validateNames(spec),
    ...validateVersions(spec),
  ];
}

/** Checks what an update of a definition may not change. */
export function validateCrdUpdate({ spec }: Crd, old: Crd): FieldError[] {
  const established = old.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  const removed = (old.status?.storedVersions ?? []).flatMap((version, index) =>
    spec.versions.some(({ name }) => name === version)
      ? []
      : [
          invalid(
            `status.storedVersions[${index}]`,
            version,
            'missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions'.replaceAll(
              'v1',
              version,
            ),
          ),
        ],
  );
  return [
    ...(spec.group === old.spec.group ? [] : [invalid('spec.group', spec.group, immutableMessage)]),
    ...(spec.names.plural === old.spec.names.plural
      ? []
      : [invalid('spec.names.plural', spec.names.plural, immutableMessage)]),
    ...(established && spec.scope !== old.spec.scope
      ? [invalid('spec.scope', spec.scope, immutableMessage)]
      : []),
    ...(established && spec.names.kind !== old.spec.names.kind
      ? [invalid('spec.names.kind', spec.names.kind, immutableMessage)]
      : []),
    ...removed,
  ];
}

/** Everything that later checks read has to be there, and of the right type. */
function validateShape(spec: Record<string, unknown>): FieldError[] {
  const { names, versions } = spec;
  return [
    ...(typeof spec['group'] === 'string' && spec['group'] !== '' ? [] : [required('spec.group')]),
    ...(Array.isArray(versions) && versions.length > 0 && versions.every(isVersion)
      ? []
      : [required('spec.versions')]),
    ...(isObject(names) ? [] : [required('spec.names')]),
  ];
}

function isVersion(version: unknown): boolean {
  if (!isObject(version) || typeof version['name'] !== 'string') return false;
  const { schema } = version;
  return (
    schema === undefined ||
    (isObject(schema) && (schema['openAPIV3Schema'] === undefined || isObject(schema['openAPIV3Schema'])))
  );
}

function validateName(name: string, { names, group }: CustomResourceDefinitionSpec): FieldError[] {
  const expected = `${names.plural}.${group}`;
  return name === expected
    ? []
    : [invalid('metadata.name', name, `must be spec.names.plural+"."+spec.group`)];
}

function validateGroup(group: string): FieldError[] {
  return [
    ...subdomain(group).map((message) => invalid('spec.group', group, message)),
    ...(group.includes('.')
      ? []
      : [invalid('spec.group', group, 'should be a domain with at least one dot')]),
  ];
}

function validateNames({ names, scope }: CustomResourceDefinitionSpec): FieldError[] {
  const scopes = ['Cluster', 'Namespaced'];
  return [
    ...(scope === undefined || !scopes.includes(scope)
      ? [scope ? notSupported('spec.scope', scope, scopes) : required('spec.scope')]
      : []),
    ...validateOneName('plural', names.plural),
    ...validateOneName('singular', names.singular),
    ...validateOneName('kind', names.kind),
    ...validateOneName('listKind', names.listKind),
    ...(names.kind !== undefined && names.kind !== '' && names.kind === names.listKind
      ? [invalid('spec.names.listKind', names.listKind, 'kind and listKind may not be the same')]
      : []),
  ];
}

function validateOneName(field: string, name: string | undefined): FieldError[] {
  const path = `spec.names.${field}`;
  if (!name) return [required(path)];
  const tested = field === 'kind' || field === 'listKind' ? name.toLowerCase() : name;
  return dnsLabel(tested).map((message) =>
    invalid(
      path,
      name,
      field === 'kind' || field === 'listKind'
        ? `may have mixed case, but should otherwise match: ${message}`
        : message,
    ),
  );
}

function validateVersions({ versions }: CustomResourceDefinitionSpec): FieldError[] {
  const storage = versions.filter((version) => version.storage).length;
  return [
    ...(storage === 1
      ? []
      : [invalid('spec.versions', versions, 'must have exactly one version marked as storage version')]),
    ...versions.flatMap((version, index) => validateVersion(version, index, versions)),
  ];
}

function validateVersion(
  version: CustomResourceDefinitionVersion,
  index: number,
  all: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  const path = `spec.versions[${index}]`;
  const schema = version.schema?.openAPIV3Schema;
  // A server moves the schema that all versions share to the top before it checks it.
  const isShared = all.every((other) => jsonEqual(other.schema, version.schema));
  const schemaPath = isShared ? 'spec.validation.openAPIV3Schema' : `${path}.schema.openAPIV3Schema`;
  const isRepeated = isShared && index > 0;
  return [
    ...dnsLabel(version.name).map((message) => invalid(`${path}.name`, version.name, message)),
    ...(all.findIndex(({ name }) => name === version.name) === index
      ? []
      : [invalid('spec.versions', all, 'must contain unique version names')]),
    ...(schema ? [] : [required(`${path}.schema.openAPIV3Schema`, 'schemas are required')]),
    ...(schema && !isRepeated ? validateStructural(schema, schemaPath) : []),
  ];
}
