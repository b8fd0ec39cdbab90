import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { validateAnnotations } from '../../metadata/validate-metadata.ts';
import { type FieldError, forbidden } from '../../status/field-error.ts';
import { validateLabels } from '../validation/validate-label-selector.ts';
import { validatePodAnnotations, validateProfilesMatch } from './validation/validate-pod-annotations.ts';
import { validatePodSpec } from './validation/validate-pod-spec.ts';

/**
 * Validates the pod template of a controller.
 *
 * @param path the path of the template, such as `spec.template`
 */
export function validatePodTemplate(template: PodTemplateSpec, path: string): FieldError[] {
  const { metadata = {}, spec = { containers: [] } } = template;
  const annotations = metadata.annotations ?? {};
  return [
    ...validateLabels(metadata.labels ?? {}, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...validatePodAnnotations(annotations, spec, `${path}.annotations`),
    ...validatePodSpec(spec, '', `${path}.spec`),
    ...validateProfilesMatch(annotations, spec, `${path}.spec`),
    ...(spec.ephemeralContainers?.length
      ? [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}
