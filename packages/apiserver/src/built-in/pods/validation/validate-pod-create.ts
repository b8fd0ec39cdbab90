import type { PodSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import type { DecodedPod } from '../pod-strategy.ts';
import { validateImageSpaces } from './validate-image-spaces.ts';
import { validatePodAnnotations, validateProfilesMatch } from './validate-pod-annotations.ts';
import { validatePodSpec } from './validate-pod-spec.ts';

/** Validates a new pod. */
export function validatePodCreate(pod: DecodedPod): FieldError[] {
  const { metadata, spec } = pod;
  return [
    ...validatePod(pod),
    ...(spec.ephemeralContainers?.length
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(spec.nodeName && spec.schedulingGates?.length
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateProfilesMatch(metadata.annotations ?? {}, spec, 'spec'),
  ];
}

/** Validates what applies to pods but not to templates. */
export function validatePod({ metadata, spec }: DecodedPod): FieldError[] {
  return [
    ...validatePodAnnotations(metadata.annotations ?? {}, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, metadata.name ?? '', 'spec'),
    ...(spec.serviceAccountName ? [] : refuseTokens(spec)),
    ...(['containers', 'initContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, index) =>
        validateImageSpaces(container, `spec.${list}[${index}]`),
      ),
    ),
  ];
}

/** Without a service account there are no tokens. */
function refuseTokens({ volumes }: PodSpec): FieldError[] {
  return (volumes ?? []).flatMap(({ projected }, at) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, index) =>
      serviceAccountToken
        ? [
            forbidden(
              `spec.volumes[${at}].projected.sources[${index}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ]
        : [],
    ),
  );
}
