import type { Quantity } from 'ots-kubernetes';
import type { Container, PodSpec, ResourceRequirements } from 'ots-kubernetes/core/v1';
import type { UpdateRules } from '../../registry/strategy.ts';
import { type FieldError, forbidden, invalid } from '../../status/field-error.ts';
import { isSidecar } from './containers-of.ts';
import { keepAllBut } from './keep-all-but.ts';
import type { DecodedPod } from './pod-strategy.ts';
import { qualityOfService } from './quality-of-service.ts';
import { sameSpec } from './same-spec.ts';
import { validatePod } from './validation/validate-pod-create.ts';

type Amounts = Record<string, Quantity>;

const lists = ['containers', 'initContainers'] as const;

/** Rules for resizing the CPU and memory of a running pod. */
export const resizeRules: UpdateRules = {
  prepare(pod: DecodedPod, old: DecodedPod): void {
    // Validation reports other containers.
    if (lists.some((list) => (pod.spec[list] ?? []).length !== (old.spec[list] ?? []).length)) return;
    const { resources } = pod.spec;
    const initContainers = old.spec.initContainers && withResources(pod.spec, old.spec, 'initContainers');
    keepAllBut(pod, old, {
      resources,
      containers: withResources(pod.spec, old.spec, 'containers'),
      initContainers,
    });
  },

  validate(pod: DecodedPod, old: DecodedPod): FieldError[] {
    if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
      return [forbidden('[]', 'static pods cannot be resized')];
    if (old.spec.os?.name === 'windows') return [forbidden('[]', 'windows pods cannot be resized')];
    const errors = [...validatePod(pod), ...validateQuality(pod, old), ...validateSupport(old)];
    errors.push(...validatePodLevel(pod.spec, old.spec));
    const order = lists.flatMap((list) => validateOrder(pod.spec[list] ?? [], old.spec[list] ?? [], list));
    if (order.length > 0) return [...errors, ...order];
    errors.push(
      ...lists.flatMap((list) =>
        (old.spec[list] ?? []).flatMap((before, index) =>
          validateContainer(pod.spec[list]?.[index] ?? before, before, index, list),
        ),
      ),
    );
    if (errors.length > 0 || sameSpec(withoutAmounts(pod.spec, old.spec), old.spec)) return errors;
    return [forbidden('spec', 'only cpu and memory resources are mutable')];
  },
};

/** The old containers with the new resources; the new containers if they are different ones. */
function withResources(spec: PodSpec, old: PodSpec, list: (typeof lists)[number]): Container[] {
  const sent = spec[list] ?? [];
  const before = old[list] ?? [];
  if (sent.some(({ name }, index) => name !== before[index]?.name)) return sent;
  return before.map((container, index) => {
    const { resources: _, resizePolicy: __, ...rest } = container;
    const { resources, resizePolicy } = sent[index] ?? container;
    return { ...rest, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
  });
}

function validateQuality(pod: DecodedPod, old: DecodedPod): FieldError[] {
  const before = old.status?.qosClass ?? qualityOfService(old.spec);
  if (before === qualityOfService(pod.spec)) return [];
  const detail = 'Pod QOS Class may not change as a result of resizing';
  return [invalid('spec', pod.status?.qosClass ?? '', detail)];
}

/** A kubelet that supports resizing reports the resources of running containers. */
function validateSupport({ status }: DecodedPod): FieldError[] {
  const running = status?.containerStatuses?.find(({ state }) => state?.running);
  if (!running || running.resources) return [];
  return [forbidden('spec', 'Pod running on node without support for resize')];
}

function validatePodLevel({ resources }: PodSpec, { resources: old }: PodSpec): FieldError[] {
  if (!old) return [];
  if (!resources) return [forbidden('spec.resources', 'pod-level resources cannot be removed')];
  return [
    ...validateRemoved(resources, old, 'spec.resources', 'pod-level resource'),
    ...(sameSpec(withoutComputed(resources, old), old)
      ? []
      : [forbidden('spec', 'only cpu and memory resources are mutable at pod-level')]),
  ];
}

function validateOrder(
  containers: readonly Container[],
  old: readonly Container[],
  list: string,
): FieldError[] {
  if (containers.length !== old.length)
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  return old.flatMap(({ name }, index) =>
    containers[index]?.name === name
      ? []
      : [forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

function validateContainer(
  container: Container,
  old: Container,
  index: number,
  list: (typeof lists)[number],
): FieldError[] {
  const path = `spec.${list}[${index}]`;
  const errors = validateRemoved(
    container.resources ?? {},
    old.resources ?? {},
    `${path}.resources`,
    'resource',
  );
  const isInit = list === 'initContainers';
  const kept = { ...container, resources: withoutComputed(container.resources ?? {}, old.resources ?? {}) };
  if (!sameSpec(kept, { ...old, resources: old.resources ?? {} })) {
    errors.push(
      isInit
        ? forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable')
        : forbidden('spec', 'only cpu and memory resources are mutable'),
    );
  }
  if (isInit && !isSidecar(container) && !sameSpec(container, old))
    for (const { restartPolicy } of container.resizePolicy ?? [])
      if (restartPolicy === 'RestartContainer')
        errors.push(
          forbidden(
            path,
            'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
          ),
        );
  return errors;
}

function validateRemoved(
  { requests, limits }: ResourceRequirements,
  old: ResourceRequirements,
  path: string,
  subject: string,
): FieldError[] {
  return [
    ...(lacks(requests, old.requests)
      ? [forbidden(`${path}.requests`, `${subject} requests cannot be removed`)]
      : []),
    ...(lacks(limits, old.limits)
      ? [forbidden(`${path}.limits`, `${subject} limits cannot be removed`)]
      : []),
  ];
}

function lacks(amounts: Amounts = {}, old: Amounts = {}): boolean {
  return Object.keys(old).some((name) => !Object.hasOwn(amounts, name));
}

/** The spec with the old quantities where they may change. */
function withoutAmounts(spec: PodSpec, old: PodSpec): PodSpec {
  const { resources: _, ...rest } = spec;
  return {
    ...rest,
    ...(old.resources && { resources: old.resources }),
    containers: keepAmounts(spec.containers, old.containers),
    ...(spec.initContainers && {
      initContainers: keepAmounts(spec.initContainers, old.initContainers ?? []),
    }),
  };
}

function keepAmounts(containers: readonly Container[], old: readonly Container[]): Container[] {
  return containers.map((container, index) => {
    const { resources: _, ...rest } = container;
    const { resources } = old[index] ?? {};
    return resources ? { ...rest, resources } : rest;
  });
}

/** Resources with the CPU and memory of others. */
function withoutComputed(resources: ResourceRequirements, old: ResourceRequirements): ResourceRequirements {
  const requests = restoreComputed(resources.requests, old.requests);
  const limits = restoreComputed(resources.limits, old.limits);
  return {
    ...(resources.claims && { claims: resources.claims }),
    ...((old.requests || Object.keys(requests).length > 0) && { requests }),
    ...((old.limits || Object.keys(limits).length > 0) && { limits }),
  };
}

function restoreComputed(amounts: Amounts = {}, { cpu, memory }: Amounts = {}): Amounts {
  const { cpu: _, memory: __, ...others } = amounts;
  return { ...others, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}
