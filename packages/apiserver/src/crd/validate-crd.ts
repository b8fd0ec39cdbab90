import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import { dns1035Label, subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, notSupported, required } from '../status/field-error.ts';
import type { Crd } from './crd-types.ts';
import { validateApproval } from './validate-approval.ts';
import { validateConversion } from './validate-conversion.ts';
import { validateVersionParts } from './validate-version-parts.ts';

const scopes = ['Cluster', 'Namespaced'];

/** Validates a definition: its names, its versions, their schemas, and how they are converted. */
export function validateCrd(crd: Crd): FieldError[] {
  const { metadata, spec, status } = crd;
  const expected = `${spec.names.plural}.${spec.group}`;
  return [
    ...(metadata.name === expected
      ? []
      : [invalid('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...validateApproval(crd),
    ...validateSpec(crd),
    ...validateStoredVersions(crd, status?.storedVersions),
  ];
}

/** Validates an update of a definition, including immutable fields. */
export function validateCrdUpdate(crd: Crd, old: Crd): FieldError[] {
  const { spec, status } = crd;
  const established = old.status?.conditions?.some(
    ({ type, status: state }) => type === 'Established' && state === 'True',
  );
  return [
    ...validateSpec(crd, old),
    ...immutable('spec.group', spec.group, old.spec.group),
    ...immutable('spec.names.plural', spec.names.plural, old.spec.names.plural),
    ...(established ? immutable('spec.scope', spec.scope, old.spec.scope) : []),
    ...(established ? immutable('spec.names.kind', spec.names.kind, old.spec.names.kind) : []),
    ...validateStoredVersions(crd, status?.storedVersions),
    ...validateApproval(crd, old),
  ];
}

function validateSpec(crd: Crd, old?: Crd): FieldError[] {
  const { group, scope } = crd.spec;
  return [
    ...validateGroup(group),
    ...(scopes.includes(scope)
      ? []
      : [scope ? notSupported('spec.scope', scope, scopes) : required('spec.scope')]),
    ...validateVersions(crd),
    ...validateNames(crd),
    ...validateConversion(crd, old),
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
  const problems = subdomain(group);
  if (problems.length === 0 && !group.includes('.'))
    problems.push('should be a domain with at least one dot');
  return oneError('spec.group', group, problems);
}

/** All problems of a name as one error. */
function oneError(field: string, value: string, problems: readonly string[], before = ''): FieldError[] {
  return problems.length === 0 ? [] : [invalid(field, value, `${before}${problems.join(',')}`)];
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
  const before = 'may have mixed case, but should otherwise match: ';
  return oneError(field, kind, dns1035Label(kind.toLowerCase()), before);
}

function validateVersions(crd: Crd): FieldError[] {
  const { versions } = crd.spec;
  const names = versions.map(({ name }) => name);
  const fail = (detail: string) => invalid('spec.versions', versions.length === 0 ? null : versions, detail);
  return [
    ...versions.flatMap((version, index) => validateVersion(version, `spec.versions[${index}]`)),
    ...validateVersionParts(versions),
    ...(new Set(names).size === names.length ? [] : [fail('must contain unique version names')]),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [fail('must have exactly one version marked as storage version')]),
    // A server keeps the name of the first version there, too.
    ...(names[0] ? oneError('spec.version', names[0], dns1035Label(names[0])) : []),
  ];
}

function validateVersion(version: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const { name, deprecated, deprecationWarning, schema } = version;
  return [
    ...oneError(`${path}.name`, name, dns1035Label(name)),
    ...(schema?.openAPIV3Schema ? [] : [required(`${path}.schema.openAPIV3Schema`)]),
    ...deprecationProblems(deprecated === true, deprecationWarning).map((problem) =>
      invalid(`${path}.deprecationWarning`, deprecationWarning, problem),
    ),
  ];
}

function deprecationProblems(deprecated: boolean, warning: string | undefined): string[] {
  if (warning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const unseen = warning.search(/(?! )[\p{C}\p{Z}]/u);
  const index = Buffer.byteLength(warning.slice(0, unseen));
  return [
    ...(Buffer.byteLength(warning) > 256 ? ['must be <= 256 characters long'] : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
    ...(unseen === -1
      ? []
      : [`must only contain printable UTF-8 characters; non-printable character found at index ${index}`]),
  ];
}

function validateStoredVersions({ spec }: Crd, stored: readonly string[] | undefined): FieldError[] {
  const field = 'status.storedVersions';
  if (!stored || stored.length === 0)
    return [invalid(field, stored ?? null, 'must have at least one stored version')];
  const names = new Set(spec.versions.map(({ name }) => name));
  const missing = spec.versions.filter(({ storage, name }) => storage && !stored.includes(name));
  return [
    ...missing.map(({ name }) => invalid(field, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((version, index) => {
      if (names.has(version)) return [];
      const detail = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
      return [invalid(`${field}[${index}]`, version, detail)];
    }),
  ];
}

function validateLabel(field: string, name: string): FieldError[] {
  return oneError(`spec.names.${field}`, name, dns1035Label(name));
}

function immutable(field: string, value: unknown, before: unknown): FieldError[] {
  return value === before ? [] : [invalid(field, value, 'field is immutable')];
}
