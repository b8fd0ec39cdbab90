import { subdomain } from 'ots-apimachinery/names';
import {
  type Crd,
  type FieldError,
  setCrdDefaults,
  validateCrd,
  validateMetadata,
} from 'ots-apiserver/decoding';
import type { BundleCrd } from '../bundle/bundle.ts';
import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import { type Finding, reporter } from '../finding.ts';
import type { Validator } from './validator.ts';

const { error } = reporter('crd');

/**
 * The rules of kube-apiserver for CRDs, without those for schemas and for `status`: an error whose field contains one of these words does
 * not count, as in the Operator Framework. So what the status subresource or a scale says about the status does not count either.
 */
export const validateCrds: Validator = ({ crds }) => crds.flatMap(validateDefinition);

function validateDefinition({ crd, v1beta1, file }: BundleCrd): Finding[] {
  const defaulted = structuredClone(withoutRules(crd));
  setCrdDefaults(defaulted.spec);
  return (
    [
      ...validateNamespace(crd),
      ...validateMetadata(crd.metadata, subdomain),
      ...validateCrd(defaulted),
      ...validateKeptFields(crd),
      ...(v1beta1 ? validateTopLevel(v1beta1) : []),
    ]
      .filter(({ field }) => !field.includes('openAPIV3Schema') && !field.includes('status'))
      // A missing name is not a wrong one, too.
      .filter(
        ({ field, reason }) =>
          crd.metadata.name || field !== 'metadata.name' || reason !== 'FieldValueInvalid',
      )
      .map(({ reason, field, message }) =>
        error({ type: reason, field, file, detail: `${field}: ${message}` }),
      )
  );
}

/** CEL rules are part of a schema, so they need not be compiled. */
function withoutRules(crd: Crd): Crd {
  const versions = crd.spec.versions.map((version) => ({ ...version, schema: dropRules(version.schema) }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but optional fields were dropped
  return { ...crd, spec: { ...crd.spec, versions } } as Crd;
}

function dropRules(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropRules);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'x-kubernetes-validations');
  return Object.fromEntries(entries.map(([key, item]) => [key, dropRules(item)]));
}

function validateNamespace({ metadata }: Crd): FieldError[] {
  if (!metadata.namespace) return [];
  const message = 'Forbidden: not allowed on this type';
  return [{ reason: 'FieldValueForbidden', field: 'metadata.namespace', message }];
}

/** Defaults need pruning. */
function validateKeptFields({ spec }: Crd): FieldError[] {
  if (!spec.preserveUnknownFields || !spec.versions.some(({ schema }) => hasDefault(schema?.openAPIV3Schema)))
    return [];
  const message = 'Invalid value: true: must be false in order to use defaults in the schema';
  return [{ reason: 'FieldValueInvalid', field: 'spec.preserveUnknownFields', message }];
}

/** Whether a schema or one in it has a default. */
function hasDefault(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = schema;
  const inner = [items, additionalProperties, allOf, anyOf, oneOf, not].flat();
  const all = isObject(properties) ? [...Object.values(properties), ...inner] : inner;
  return isSet(schema['default']) || all.some(hasDefault);
}

/** What v1beta1 can say once for all versions, or per version, but not both. */
function validateTopLevel(object: JsonObject): FieldError[] {
  const spec = valueOf(object, 'spec');
  const versions = valueOf(spec, 'versions');
  const list = Array.isArray(versions) ? versions : [];
  const version = textOf(spec, 'version');
  const first = textOf(list[0], 'name');
  const forbidden = [
    ['validation', 'schema'],
    ['subresources', 'subresources'],
    ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ] as const;
  return [
    ...forbidden
      .filter(([top, each]) => isSet(valueOf(spec, top)) && list.some((one) => isSet(valueOf(one, each))))
      .map(([top]): FieldError => {
        const message = `Forbidden: top-level and per-version ${top} are mutually exclusive`;
        return { reason: 'FieldValueForbidden', field: `spec.${top}`, message };
      }),
    ...(version !== '' && list.length > 0 && version !== first
      ? [
          {
            reason: 'FieldValueInvalid' as const,
            field: 'spec.version',
            message: `Invalid value: "${version}": must match the first version in spec.versions`,
          },
        ]
      : []),
  ];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
