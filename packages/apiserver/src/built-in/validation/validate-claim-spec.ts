import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference,
} from 'ots-kubernetes/core/v1';
import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';
import { validateAccessModes } from './validate-access-modes.ts';
import { validateChoice } from './validate-choice.ts';
import { validateLabelSelector } from './validate-label-selector.ts';
import { showQuantity } from './validate-quantity.ts';

/** Validates the spec of a claim or of a claim template. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: string): FieldError[] {
  const { selector, storageClassName, volumeMode, volumeAttributesClassName: attributesClass } = spec;
  return [
    ...(spec.accessModes?.length
      ? validateAccessModes(`${path}.accessModes`, spec.accessModes)
      : [required(`${path}.accessModes`, 'at least 1 access mode is required')]),
    ...(selector ? validateLabelSelector(selector, `${path}.selector`) : []),
    ...validateStorage(spec, `${path}.resources[storage]`),
    ...(storageClassName ? errorsOfRule(`${path}.storageClassName`, storageClassName, subdomain) : []),
    ...(volumeMode === undefined
      ? []
      : validateChoice(`${path}.volumeMode`, volumeMode, ['Block', 'Filesystem'])),
    ...validateSources(spec, path),
    ...(attributesClass ? errorsOfRule(`${path}.volumeAttributesClassName`, attributesClass, subdomain) : []),
  ];
}

function validateStorage({ resources }: PersistentVolumeClaimSpec, field: string): FieldError[] {
  const storage = resources?.requests?.['storage'];
  if (storage === undefined) return [required(field)];
  return nanosOf(storage) > 0n ? [] : [invalid(field, showQuantity(storage), 'must be greater than zero')];
}

/** A server prints the path itself as the invalid value, which comes out empty. */
const pathValue = {};

function validateSources(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  path: string,
): FieldError[] {
  const errors = [
    ...(dataSource ? validateSource(dataSource, `${path}.dataSource`) : []),
    ...(dataSourceRef ? validateSource(dataSourceRef, `${path}.dataSourceRef`) : []),
  ];
  const namespace = dataSourceRef?.namespace;
  if (namespace) errors.push(...errorsOfRule(`${path}.dataSourceRef.namespace`, namespace, dnsLabel));
  if (!dataSource || !dataSourceRef) return errors;
  if (namespace) {
    const detail = 'may not be specified when dataSourceRef.namespace is specified';
    return [...errors, invalid(path, pathValue, detail)];
  }
  const isSame = (['apiGroup', 'kind', 'name'] as const).every(
    (name) => dataSource[name] === dataSourceRef[name],
  );
  return isSame ? errors : [...errors, invalid(path, pathValue, 'must match dataSourceRef')];
}

function validateSource(
  { apiGroup, kind, name }: TypedLocalObjectReference | TypedObjectReference,
  path: string,
): FieldError[] {
  // A server writes null for a missing group.
  const isForeign = !apiGroup && kind !== 'PersistentVolumeClaim';
  return [
    ...(name ? [] : [required(`${path}.name`)]),
    ...(kind ? [] : [required(`${path}.kind`)]),
    ...(isForeign
      ? [invalid(path, kind ?? '', "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(apiGroup ? errorsOfRule(`${path}.apiGroup`, apiGroup, subdomain) : []),
  ];
}
