import type { Container, PodSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, duplicate, forbidden, invalid, required } from '../../../status/field-error.ts';
import { isSidecar } from '../containers-of.ts';
import { type PodContext, validateContainer } from './validate-container.ts';
import { validateEphemeralContainers } from './validate-ephemeral-containers.ts';
import { validateLifecycle, validateProbe } from './validate-probes.ts';
import { validateRestarts } from './validate-restarts.ts';

const probes = ['liveness', 'readiness', 'startup'] as const;

/** Validates all containers of a pod. */
export function validateContainers(spec: PodSpec, pod: PodContext, path: string): FieldError[] {
  return [
    ...validateOwnContainers(spec.containers ?? [], pod, `${path}.containers`),
    ...validateInitContainers(spec, pod, `${path}.initContainers`),
    ...validateEphemeralContainers(spec, pod, `${path}.ephemeralContainers`),
  ];
}

function validateOwnContainers(
  containers: readonly Container[],
  pod: PodContext,
  path: string,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  return [
    ...containers.flatMap((container, index) => [
      ...validateContainer(container, pod, `${path}[${index}]`),
      ...takeName(container.name ?? '', names, `${path}[${index}]`),
      ...validateHandlers(container, pod, `${path}[${index}]`),
      ...validateRestarts(container, `${path}[${index}]`),
    ]),
    ...validateHostPorts(containers, path),
  ];
}

/** Init containers run one after the other, so they may reuse ports. */
function validateInitContainers(spec: PodSpec, pod: PodContext, path: string): FieldError[] {
  const names = new Set((spec.containers ?? []).map(({ name }) => name ?? ''));
  return (spec.initContainers ?? []).flatMap((container, index) => [
    ...validateContainer(container, pod, `${path}[${index}]`),
    ...validateRestarts(container, `${path}[${index}]`),
    ...(container.name || names.has('') ? takeName(container.name ?? '', names, `${path}[${index}]`) : []),
    ...validateHostPorts([container], path),
    ...(isSidecar(container)
      ? validateHandlers(container, pod, `${path}[${index}]`)
      : refuseHandlers(container, `${path}[${index}]`)),
  ]);
}

/** @param names the names of the previous containers; receives this one */
function takeName(name: string, names: Set<string>, path: string): FieldError[] {
  if (names.has(name)) return [duplicate(`${path}.name`, name)];
  names.add(name);
  return [];
}

/** Validates probes and lifecycle handlers. */
function validateHandlers(container: Container, { gracePeriod }: PodContext, path: string): FieldError[] {
  const { lifecycle } = container;
  return [
    ...(lifecycle ? validateLifecycle(lifecycle, gracePeriod, `${path}.lifecycle`) : []),
    ...probes.flatMap((purpose) => {
      const probe = container[`${purpose}Probe`];
      return probe ? validateProbe(probe, purpose, `${path}.${purpose}Probe`) : [];
    }),
  ];
}

/** An init container that ends has neither probes nor lifecycle handlers. */
function refuseHandlers(container: Container, path: string): FieldError[] {
  const care = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
  return [
    ...care
      .filter((name) => container[name] !== undefined)
      .map((name) =>
        forbidden(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always'),
      ),
    ...(container.resizePolicy ?? []).flatMap(({ restartPolicy }, index) =>
      restartPolicy === 'RestartContainer'
        ? [
            invalid(
              `${path}.resizePolicy[${index}].restartPolicy`,
              restartPolicy,
              "must not be set to 'RestartContainer' for non-sidecar initContainers",
            ),
          ]
        : [],
    ),
  ];
}

/** Two containers cannot share a host port. */
function validateHostPorts(containers: readonly Container[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, at) =>
    ports.flatMap(({ protocol, hostIP, hostPort }, index) => {
      if (!hostPort) return [];
      const port = `${protocol ?? ''}/${hostIP ?? ''}/${hostPort}`;
      const isTaken = taken.has(port);
      taken.add(port);
      return isTaken ? [duplicate(`${path}[${at}].ports[${index}].hostPort`, port)] : [];
    }),
  );
}
