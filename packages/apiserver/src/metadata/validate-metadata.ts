import type { ObjectMeta, OwnerReference } from 'ots-kubernetes';
import { type NameRule, labelValue, qualifiedName } from 'ots-apimachinery/names';
import { jsonEqual } from '../json/json-equal.ts';
import { type FieldError, forbidden, invalid, required } from '../status/field-error.ts';

const maxAnnotationBytes = 256 * 1024;
const freeGroups = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
]);
const standardFinalizers = new Set(['foregroundDeletion', 'orphan', 'kubernetes']);

/**
 * Validates the metadata that an author writes: name, labels, annotations, finalizers and owners.
 *
 * @param anyFinalizer whether finalizers may lack a domain: see {@link takesAnyFinalizer}
 */
export function validateMetadata(
  metadata: ObjectMeta,
  nameRule: NameRule,
  anyFinalizer = false,
): FieldError[] {
  const name = metadata.name ?? '';
  const prefix = metadata.generateName;
  return [
    ...(prefix === undefined
      ? []
      : nameErrors('metadata.generateName', prefix.replace(/-$/, 'a'), prefix, nameRule)),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : nameErrors('metadata.name', name, name, nameRule)),
    ...(metadata.generation !== undefined && metadata.generation < 0
      ? [invalid('metadata.generation', metadata.generation, 'must be greater than or equal to 0')]
      : []),
    ...validateLabels(metadata.labels ?? {}),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwners(metadata.ownerReferences ?? []),
    ...validateFinalizers(metadata.finalizers ?? [], anyFinalizer),
  ];
}

/**
 * Whether finalizers of this resource may lack a domain prefix. Most built-in kinds require one.
 *
 * Source: which metadata validation the kinds use, that of apimachinery or that of core.
 */
export function takesAnyFinalizer({
  custom,
  group,
  kind,
}: {
  custom: boolean;
  group: string;
  kind: string;
}): boolean {
  return custom || freeGroups.has(group) || (group === '' && kind === 'Event');
}

function addedTo(old: readonly string[], finalizers: readonly string[]): string[] {
  return [...new Set(finalizers)].filter((finalizer) => !old.includes(finalizer)).toSorted();
}

/** Validates the fields that an update must not change. */
export function validateMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp'] as const;
  const added = addedTo(old.finalizers ?? [], metadata.finalizers ?? []);
  return [
    ...(old.deletionTimestamp !== undefined && added.length > 0
      ? [
          forbidden(
            'metadata.finalizers',
            `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`,
          ),
        ]
      : []),
    ...immutable
      .filter((field) => !jsonEqual(metadata[field], old[field]))
      .map((field) =>
        invalid(`metadata.${field}`, metadata[field] ?? (field === 'name' ? '' : null), 'field is immutable'),
      ),
  ];
}

function nameErrors(field: string, tested: string, shown: string, rule: NameRule): FieldError[] {
  return rule(tested).map((message) => invalid(field, shown, message));
}

/** Validates the labels of an object. */
export function validateLabels(labels: Record<string, string>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedName(key).map((message) => invalid('metadata.labels', key, message)),
    ...labelValue(value).map((message) => invalid('metadata.labels', value, message)),
  ]);
}

/** Validates the annotations of an object, or of a template at another path. */
export function validateAnnotations(
  annotations: Record<string, string>,
  field = 'metadata.annotations',
): FieldError[] {
  const entries = Object.entries(annotations);
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...entries.flatMap(([key]) =>
      qualifiedName(key.toLowerCase()).map((message) => invalid(field, key, message)),
    ),
    ...(size > maxAnnotationBytes
      ? [
          {
            reason: 'FieldValueTooLong' as const,
            field,
            message: `Too long: may not be more than ${maxAnnotationBytes} bytes`,
          },
        ]
      : []),
  ];
}

function validateOwners(sent: readonly Partial<OwnerReference>[]): FieldError[] {
  // Messages show missing fields as empty.
  const owners = sent.map((owner) => ({ apiVersion: '', kind: '', name: '', uid: '', ...owner }));
  const field = 'metadata.ownerReferences';
  const controllers = owners.filter(({ controller }) => controller);
  return [
    ...owners.flatMap((owner) => [
      ...(owner.apiVersion ? [] : [invalid(`${field}.apiVersion`, '', 'version must not be empty')]),
      ...(['kind', 'name', 'uid'] as const)
        .filter((key) => !owner[key])
        .map((key) => invalid(`${field}.${key}`, '', 'must not be empty')),
      ...(owner.kind === 'Event' && owner.apiVersion === 'v1'
        ? [invalid(field, owner, '/v1, Kind=Event is disallowed from being an owner')]
        : []),
    ]),
    ...controllers.slice(1).map((owner) => {
      const [first] = controllers;
      return invalid(
        field,
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${first?.kind}/${first?.name} and ${owner.kind}/${owner.name}`,
      );
    }),
  ];
}

/**
 * Validates the name of one finalizer.
 *
 * @param field the path for errors about its form
 * @param owned the path for the error that it lacks a domain
 */
export function validateFinalizer(finalizer: string, field: string, owned = field): FieldError[] {
  const errors = validateFinalizerName(finalizer, field);
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return errors;
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return [...errors, invalid(owned, finalizer, detail)];
}

function validateFinalizerName(finalizer: string, field: string): FieldError[] {
  return qualifiedName(finalizer).map((message) => invalid(field, finalizer, message));
}

function validateFinalizers(finalizers: readonly string[], anyFinalizer: boolean): FieldError[] {
  const field = 'metadata.finalizers';
  const both = finalizers.includes('foregroundDeletion') && finalizers.includes('orphan');
  return [
    ...finalizers.flatMap((finalizer, index) =>
      anyFinalizer
        ? validateFinalizerName(finalizer, field)
        : validateFinalizer(finalizer, field, `${field}[${index}]`),
    ),
    ...(both
      ? [invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
      : []),
  ];
}
