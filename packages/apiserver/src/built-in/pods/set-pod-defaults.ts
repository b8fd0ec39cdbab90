import type { Quantity } from 'ots-kubernetes';
import type { Container, PodSpec, PodStatus } from 'ots-kubernetes/core/v1';
import { formatQuantity } from '../../objects/quantity.ts';
import { canBeOvercommitted, isHugePages } from '../validation/resource-names.ts';
import { setPodSpecDefaults } from './set-pod-spec-defaults.ts';
import { sumOfContainers } from './sum-of-containers.ts';

/** Sets the defaults of the spec of a pod: those of templates, and those that a pod alone has. Changes it. */
export function setPodDefaults(spec: PodSpec): void {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const container of containers) requestLimits(container);
  setHugePageLimits(spec);
  setRequests(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) for (const container of containers) useHostPorts(container);
  // A mistake that could be made once: kubelets take it as one second.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  setPodSpecDefaults(spec);
}

/** The first of the IPs of a pod has a field of its own, which is right where they differ. Changes the status. */
export function alignPodIps(status: PodStatus): void {
  const { podIP, podIPs = [] } = status;
  if (podIP && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  else if (podIPs[0]) status.podIP = podIPs[0].ip;
}

/** Whoever has a limit asks for as much, unless they say. */
function requestLimits({ resources }: Container): void {
  if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
}

function useHostPorts({ ports = [] }: Container): void {
  for (const port of ports) port.hostPort ||= port.containerPort;
}

/** A pod that names amounts of its own has room for the huge pages of its containers. */
function setHugePageLimits(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || (isEmpty(resources.limits) && isEmpty(resources.requests))) return;
  const limits: Record<string, Quantity> = { ...resources.limits };
  for (const [name, sum] of sumOfContainers(spec, 'limits'))
    if (isHugePages(name) && !Object.hasOwn(resources.requests ?? {}, name))
      limits[name] ??= formatQuantity(sum);
  if (!isEmpty(limits)) resources.limits = limits;
}

/** A pod with limits of its own asks for what its containers need together, or else for the limit. */
function setRequests(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || isEmpty(resources.limits)) return;
  const requests: Record<string, Quantity> = { ...resources.requests };
  for (const [name, sum] of sumOfContainers(spec, 'requests'))
    if (isOfPods(name) && canBeOvercommitted(name)) requests[name] ??= formatQuantity(sum);
  for (const [name, limit] of Object.entries(resources.limits ?? {}))
    if (isOfPods(name)) requests[name] ??= limit;
  if (!isEmpty(requests)) resources.requests = requests;
}

/** Whether a pod can name an amount of its own. */
function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

function isEmpty(resources: Record<string, Quantity> | undefined): boolean {
  return Object.keys(resources ?? {}).length === 0;
}
