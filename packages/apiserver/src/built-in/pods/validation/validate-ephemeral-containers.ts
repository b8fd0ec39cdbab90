import type { EphemeralContainer, PodSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, duplicate, forbidden, notFound } from '../../../status/field-error.ts';
import { type PodContext, validateContainer } from './validate-container.ts';
import { validateImageSpaces } from './validate-image-spaces.ts';

/** Fields that ephemeral containers must not have. */
const refused = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;
const refusal = 'cannot be set for an Ephemeral Container';

/** Validates the ephemeral containers of a pod. */
export function validateEphemeralContainers(spec: PodSpec, pod: PodContext, path: string): FieldError[] {
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name),
  );
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const { name, targetContainerName: target } = container;
    const isTaken = names.has(name);
    names.add(name);
    return [
      // The types differ in one field, which is not checked.
      ...validateContainer(container, pod, `${path}[${index}]`),
      ...validateImageSpaces(container, `${path}[${index}]`),
      ...(isTaken ? [duplicate(`${path}[${index}].name`, name)] : []),
      ...(target && !others.has(target) ? [notFound(`${path}[${index}].targetContainerName`, target)] : []),
      ...refuseFields(container, `${path}[${index}]`),
    ];
  });
}

function refuseFields(container: EphemeralContainer, path: string): FieldError[] {
  const { volumeMounts = [] } = container;
  return [
    ...refused
      .filter((field) => isSet(container, field))
      .map((field) => forbidden(`${path}.${field}`, refusal)),
    ...volumeMounts.flatMap((mount, index) =>
      (['subPath', 'subPathExpr'] as const)
        .filter((field) => mount[field])
        .map((field) => forbidden(`${path}.volumeMounts[${index}].${field}`, refusal)),
    ),
  ];
}

/** Only for resources a server does not distinguish empty from absent. */
function isSet(container: EphemeralContainer, field: (typeof refused)[number]): boolean {
  const value = container[field];
  return field === 'resources' ? Object.keys(value ?? {}).length > 0 : value !== undefined;
}
