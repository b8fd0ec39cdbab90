import type { PersistentVolumeClaimTemplate } from 'ots-kubernetes/core/v1';
import { validateAnnotations } from '../../../metadata/validate-metadata.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { validateClaimSpec } from '../../validation/validate-claim-spec.ts';
import { validateLabels } from '../../validation/validate-label-selector.ts';

/** Validates the claim template of an ephemeral volume: its metadata may only have labels and annotations. */
export function validateClaimTemplate(
  { metadata = {}, spec }: PersistentVolumeClaimTemplate,
  path: string,
): FieldError[] {
  const { annotations, labels, ...others } = metadata;
  return [
    ...validateAnnotations(annotations ?? {}, `${path}.metadata.annotations`),
    ...validateLabels(labels ?? {}, `${path}.metadata.labels`),
    ...Object.entries(others)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name]) => forbidden(`${path}.metadata.${name}`, 'cannot be set')),
    ...validateClaimSpec(spec, `${path}.spec`),
  ];
}
