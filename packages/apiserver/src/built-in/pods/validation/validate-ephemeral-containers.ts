import type { EphemeralContainer, PodSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, duplicate, forbidden, notFound } from '../../../status/field-error.ts';
import { type Surroundings, validateContainer } from './validate-container.ts';
import { validateImageSpaces } from './validate-image-spaces.ts';

/** What has no meaning for a container that somebody added to look into a pod. */
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

/** Checks the containers that were added to a pod later. */
export function validateEphemeralContainers(spec: PodSpec, pod: Surroundings, path: string): FieldError[] {
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name),
  );
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const { name, targetContainerName: target } = container;
    const isTaken = names.has(name);
    names.add(name);
    return [
      // The same fields but for one, which is not looked at.
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

/** Of resources alone a server does not tell whether they are empty or absent. */
function isSet(container: EphemeralContainer, field: (typeof refused)[number]): boolean {
  const value = container[field];
  return field === 'resources' ? Object.keys(value ?? {}).length > 0 : value !== undefined;
}
