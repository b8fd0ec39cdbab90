import type { ObjectMeta, OwnerReference } from 'ots-kubernetes';
import { jsonEqual } from '../objects/json-equal.ts';
import { type FieldError, forbidden, invalid, required } from '../status/field-error.ts';
import { type NameRule, labelValue, qualifiedName } from './name-rules.ts';

const annotationsLimit = 256 * 1024;
const standardFinalizers = new Set(['foregroundDeletion', 'orphan', 'kubernetes']);

/** Checks the metadata that an author writes: name, labels, annotations, finalizers and owners. */
export function validateMetadata(metadata: ObjectMeta, nameRule: NameRule): FieldError[] {
  const name = metadata.name ?? '';
  const prefix = metadata.generateName;
  return [
    ...(prefix === undefined
      ? []
      : nameErrors('metadata.generateName', prefix.replace(/-$/, 'a'), prefix, nameRule)),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : nameErrors('metadata.name', name, name, nameRule)),
    ...validateLabels(metadata.labels ?? {}),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwners(metadata.ownerReferences ?? []),
    ...validateFinalizers(metadata.finalizers ?? []),
  ];
}

/** Checks what an update may not change. */
export function validateMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp'] as const;
  const added = (metadata.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer));
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
      .map((field) => invalid(`metadata.${field}`, metadata[field] ?? null, 'field is immutable')),
  ];
}

function nameErrors(field: string, tested: string, shown: string, rule: NameRule): FieldError[] {
  return rule(tested).map((message) => invalid(field, shown, message));
}

function validateLabels(labels: Record<string, string>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedName(key).map((message) => invalid('metadata.labels', key, message)),
    ...labelValue(value).map((message) => invalid('metadata.labels', value, message)),
  ]);
}

function validateAnnotations(annotations: Record<string, string>): FieldError[] {
  const entries = Object.entries(annotations);
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...entries.flatMap(([key]) =>
      qualifiedName(key.toLowerCase()).map((message) => invalid('metadata.annotations', key, message)),
    ),
    ...(size > annotationsLimit
      ? [
          {
            reason: 'FieldValueTooLong' as const,
            field: 'metadata.annotations',
            message: `Too long: may not be more than ${annotationsLimit} bytes`,
          },
        ]
      : []),
  ];
}

function validateOwners(sent: readonly Partial<OwnerReference>[]): FieldError[] {
  // Messages show what is missing as empty.
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
 * Checks the name of one finalizer.
 *
 * @param field of errors in its form
 * @param owned of the error that it belongs to nobody
 */
export function validateFinalizer(finalizer: string, field: string, owned = field): FieldError[] {
  const errors = qualifiedName(finalizer).map((message) => invalid(field, finalizer, message));
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return errors;
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return [...errors, invalid(owned, finalizer, detail)];
}

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const field = 'metadata.finalizers';
  const both = finalizers.includes('foregroundDeletion') && finalizers.includes('orphan');
  return [
    ...finalizers.flatMap((finalizer, index) => validateFinalizer(finalizer, field, `${field}[${index}]`)),
    ...(both
      ? [invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
      : []),
  ];
}
