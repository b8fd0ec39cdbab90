import path from 'node:path/posix';
import type { PersistentVolume, PersistentVolumeSpec } from 'ots-kubernetes/core/v1';
import { subdomain } from 'ots-apimachinery/names';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateAccessModes } from '../../validation/validate-access-modes.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';
import { validateNodeSelector } from '../../validation/validate-node-selector.ts';
import { showQuantity } from '../../validation/validate-quantity.ts';
import { sourceOf, validateMountOptions, validateSource } from './validate-source.ts';

/** Validates a PersistentVolume. */
export function validateVolume({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  const { persistentVolumeReclaimPolicy: policy = '', storageClassName, volumeMode, hostPath } = spec;
  const isWholeHost = hostPath?.path && path.resolve('/', hostPath.path) === '/' && policy === 'Recycle';
  return [
    ...(spec.accessModes?.length ? [] : [required('spec.accessModes')]),
    ...validateAccessModes('spec.accessModes', spec.accessModes ?? []),
    ...validateCapacity(spec.capacity),
    ...validateChoice('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain']),
    ...validateAffinity(spec),
    ...validateSource(spec),
    ...(isWholeHost
      ? [forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...(storageClassName ? errorsOfRule('spec.storageClassName', storageClassName, subdomain) : []),
    ...(volumeMode === undefined
      ? []
      : validateChoice('spec.volumeMode', volumeMode, ['Block', 'Filesystem'])),
    ...validateAttributesClass(spec),
    ...validateMountOptions(metadata, spec),
  ];
}

/** Validates an update of a PersistentVolume, whose source is immutable. */
export function validateVolumeUpdate(volume: PersistentVolume, old: PersistentVolume): FieldError[] {
  const { spec = {} } = volume;
  const { spec: before = {} } = old;
  const field = 'spec.persistentvolumesource';
  const isDropped =
    before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined;
  return [
    ...validateVolume(volume),
    ...(jsonEqual(sourceOf(spec, before), sourceOf(before, before))
      ? []
      : [forbidden(field, `${field} is immutable after creation\n`)]),
    ...validateImmutable('volumeMode', spec.volumeMode, before.volumeMode),
    ...(isDropped
      ? [forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')]
      : []),
  ];
}

function validateCapacity(capacity: PersistentVolumeSpec['capacity']): FieldError[] {
  const field = 'spec.capacity';
  const entries = Object.entries(capacity ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...(entries.length === 0 ? [required(field)] : []),
    ...(entries.length === 1 && entries[0]?.[0] === 'storage'
      ? []
      : [notSupported(field, capacity ? Object.fromEntries(entries) : null, ['storage'])]),
    ...entries.flatMap(([name, amount]) => {
      const own = `${field}[${name}]`;
      const nanos = nanosOf(amount);
      const shown = showQuantity(amount);
      return [
        ...(nanos < 0n
          ? [invalid(own, Number(nanos / 1_000_000_000n), 'must be a valid resource quantity')]
          : []),
        ...(nanos <= 0n ? [invalid(own, shown, 'must be greater than zero')] : []),
      ];
    }),
  ];
}

function validateAffinity({ nodeAffinity, local }: PersistentVolumeSpec): FieldError[] {
  const field = 'spec.nodeAffinity';
  if (!nodeAffinity) return local ? [required(field, 'Local volume requires node affinity')] : [];
  return nodeAffinity.required
    ? validateNodeSelector(nodeAffinity.required, `${field}.required`)
    : [required(`${field}.required`, 'must specify required node constraints')];
}

function validateAttributesClass({
  volumeAttributesClassName: name,
  csi,
}: PersistentVolumeSpec): FieldError[] {
  if (name === undefined) return [];
  const field = 'spec.volumeAttributesClassName';
  return [
    ...(name === ''
      ? [required(field, 'an empty string is disallowed')]
      : errorsOfRule(field, name, subdomain)),
    ...(csi ? [] : [required('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ];
}
