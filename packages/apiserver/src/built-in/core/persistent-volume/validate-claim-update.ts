import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from 'ots-kubernetes/core/v1';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Validates an update of a claim. */
export function validateClaimUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const { spec = {} } = claim;
  const { spec: before = {} } = old;
  const annotation = claim.metadata.annotations?.[classAnnotation];
  const oldAnnotation = old.metadata.annotations?.[classAnnotation];
  const isMoved = movesClassOutOfAnnotation(claim, old);
  return [
    ...(isMoved || annotation === oldAnnotation
      ? []
      : [invalid(`metadata.annotations[${classAnnotation}]`, annotation ?? '', 'field is immutable')]),
    ...(jsonEqual(fixedPart(claim, old), fixedPart(old, old))
      ? []
      : [
          forbidden(
            'spec',
            'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n',
          ),
        ]),
    ...validateSize(spec, old),
    ...validateImmutable('volumeMode', spec.volumeMode, before.volumeMode),
    ...validateAttributesClass(spec, old),
  ];
}

/** The immutable part. A claim without volume or class can get one; a bound claim can request another size. */
function fixedPart({ spec = {} }: PersistentVolumeClaim, old: PersistentVolumeClaim): object {
  const { spec: before = {} } = old;
  const part: PersistentVolumeClaimSpec = { ...spec };
  if (!before.volumeName) delete part.volumeName;
  const annotation = old.metadata.annotations?.[classAnnotation];
  const isGiven = before.storageClassName === undefined;
  if (isGiven && (annotation === undefined || annotation === spec.storageClassName))
    delete part.storageClassName;
  if (old.status?.phase !== 'Bound') return part;
  delete part.volumeAttributesClassName;
  if (!spec.resources?.requests) return part;
  const { storage: _, ...requests } = spec.resources.requests;
  part.resources = { ...spec.resources, requests };
  return part;
}

function movesClassOutOfAnnotation(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const annotation = old.metadata.annotations?.[classAnnotation];
  const now = claim.metadata.annotations?.[classAnnotation];
  return (
    annotation !== undefined &&
    old.spec?.storageClassName === undefined &&
    claim.spec?.storageClassName === annotation &&
    (now === undefined || now === annotation)
  );
}

/** A claim that requested too much may request less, but not less than its capacity. */
function validateSize({ resources }: PersistentVolumeClaimSpec, old: PersistentVolumeClaim): FieldError[] {
  const size = nanosOf(resources?.requests?.['storage'] ?? 0);
  const before = nanosOf(old.spec?.resources?.requests?.['storage'] ?? 0);
  const given = nanosOf(old.status?.capacity?.['storage'] ?? 0);
  return size < before && size <= given
    ? [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')]
    : [];
}

function validateAttributesClass(
  { volumeAttributesClassName: name }: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): FieldError[] {
  const isTaken = old.spec?.volumeAttributesClassName !== name && !name;
  if (!isTaken || old.status?.currentVolumeAttributesClassName === undefined) return [];
  const target = name === undefined ? 'nil' : 'empty string';
  return [
    forbidden(
      'spec.volumeAttributesClassName',
      `update to ${target} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
}
