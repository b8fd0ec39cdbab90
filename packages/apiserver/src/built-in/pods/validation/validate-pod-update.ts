import { appendAll } from '../../../json/append-all.ts';
import type { Container, PodSpec, Toleration } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { validateRange } from '../../validation/validate-number.ts';
import type { DecodedPod } from '../pod-strategy.ts';
import { sameSpec } from '../same-spec.ts';
import { validatePod } from './validate-pod-create.ts';
import { validateGatedUpdate } from './validate-gated-update.ts';
import { validatePodAnnotationUpdates } from './validate-pod-annotations.ts';

const maxDeadlineSeconds = 2_147_483_647;
const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Validates an update of a pod, which may change few fields. */
export function validatePodUpdate(pod: DecodedPod, old: DecodedPod): FieldError[] {
  const { spec } = pod;
  const errors = [
    ...validatePod(pod),
    ...validatePodAnnotationUpdates(pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
  ];
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list] ?? [];
    if (containers.length !== (old.spec[list] ?? []).length)
      return [...errors, forbidden(`spec.${list}`, 'pod updates may not add or remove containers')];
    appendAll(errors, validateImages(containers, `spec.${list}`));
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds);
  appendAll(errors, deadline);
  // An invalid deadline gets no second error, unless it was removed.
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return errors;
  return [
    ...errors,
    ...validateTolerations(spec.tolerations ?? [], old.spec.tolerations ?? []),
    ...validateGates(spec, old.spec),
    ...(sameSpec(spec, old.spec) ? [] : validateRest(spec, old.spec)),
  ];
}

function validateImages(containers: readonly Container[], path: string): FieldError[] {
  return containers.flatMap(({ image }, index) => (image ? [] : [required(`${path}[${index}].image`)]));
}

/** A deadline can be added or reduced. */
function validateDeadline(deadline: number | undefined, old: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  if (deadline === undefined) {
    if (old === undefined) return [];
    return [invalid(field, null, 'must not update from a positive integer to nil value')];
  }
  const errors = validateRange(field, deadline, 0, maxDeadlineSeconds);
  if (errors.length > 0 || old === undefined || deadline <= old) return errors;
  return [invalid(field, deadline, 'must be less than or equal to previous value')];
}

function validateTolerations(tolerations: readonly Toleration[], old: readonly Toleration[]): FieldError[] {
  const isKept = old.every((before) =>
    tolerations.some(({ tolerationSeconds, ...rest }) =>
      sameSpec({ ...rest, tolerationSeconds }, { ...before, tolerationSeconds }),
    ),
  );
  if (isKept) return [];
  return [
    forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
  ];
}

function validateGates(spec: PodSpec, old: PodSpec): FieldError[] {
  const before = new Set((old.schedulingGates ?? []).map(({ name }) => name));
  return (spec.schedulingGates ?? []).flatMap(({ name }, index) =>
    before.has(name)
      ? []
      : [
          forbidden(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/** All other fields are immutable. */
function validateRest(spec: PodSpec, old: PodSpec): FieldError[] {
  const kept: PodSpec = { ...spec, containers: withImages(spec.containers, old.containers) };
  if (spec.initContainers) kept.initContainers = withImages(spec.initContainers, old.initContainers ?? []);
  for (const name of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'] as const)
    Object.assign(kept, { [name]: old[name] });
  const errors: FieldError[] = [];
  if (old.schedulingGates?.length) {
    appendAll(errors, validateGatedUpdate(spec, old));
    Object.assign(kept, { nodeSelector: old.nodeSelector, affinity: affinityOf(spec, old) });
  }
  const changed = Object.keys({ ...old, ...kept }).filter(
    (name) => !sameSpec(kept[name as keyof PodSpec], old[name as keyof PodSpec]),
  );
  if (changed.length === 0) return errors;
  // The real server appends the difference in Go's notation.
  const detail = `pod updates may not change fields other than ${changeable}\n${changed.map((name) => `spec.${name}`).join(', ')}\n`;
  return [...errors, forbidden('spec', detail)];
}

function withImages(containers: readonly Container[], old: readonly Container[]): Container[] {
  return containers.map((container, index) => {
    const { image } = old[index] ?? {};
    return image === undefined ? container : { ...container, image };
  });
}

/** The affinity of a gated pod; its node affinity is validated separately. */
function affinityOf({ affinity }: PodSpec, old: PodSpec): PodSpec['affinity'] {
  const { nodeAffinity: _, ...others } = affinity ?? {};
  if (!old.affinity && Object.keys(others).length === 0) return undefined;
  const { nodeAffinity } = old.affinity ?? {};
  return { ...others, ...(nodeAffinity && { nodeAffinity }) };
}
