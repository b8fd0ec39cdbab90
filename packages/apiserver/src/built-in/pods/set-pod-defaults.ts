import type { Quantity } from 'ots-kubernetes';
import type { Container, PodSpec, PodStatus } from 'ots-kubernetes/core/v1';
import { formatQuantity } from 'ots-apimachinery/quantity/amount';
import { canBeOvercommitted, isHugePages } from '../validation/resource-names.ts';
import { setPodSpecDefaults } from './set-pod-spec-defaults.ts';
import { sumOfContainers } from './sum-of-containers.ts';

/** Sets the defaults of a pod's spec: those of templates, and those only pods have. Changes it. */
export function setPodDefaults(spec: PodSpec): void {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const container of containers) requestLimits(container);
  setHugePageLimits(spec);
  setRequests(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) for (const container of containers) useHostPorts(container);
  // Older servers accepted negative periods: kubelets treat them as one second.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  setPodSpecDefaults(spec);
}

/** `podIP` is the first of the pod's IPs, and wins if they differ. Changes the status. */
export function alignPodIps(status: PodStatus): void {
  const { podIP, podIPs = [] } = status;
  if (podIP && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  else if (podIPs[0]) status.podIP = podIPs[0].ip;
}

/** Requests default to limits. */
function requestLimits({ resources }: Container): void {
  if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
}

function useHostPorts({ ports = [] }: Container): void {
  for (const port of ports) port.hostPort ||= port.containerPort;
}

/** A pod with its own resources gets limits for the huge pages of its containers. */
function setHugePageLimits(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || (isEmpty(resources.limits) && isEmpty(resources.requests))) return;
  const limits: Record<string, Quantity> = { ...resources.limits };
  for (const [name, sum] of sumOfContainers(spec, 'limits'))
    if (isHugePages(name) && !Object.hasOwn(resources.requests ?? {}, name))
      limits[name] ??= formatQuantity(sum);
  if (!isEmpty(limits)) resources.limits = limits;
}

/** The requests of a pod with its own limits default to the sum of its containers', or else to the limits. */
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

/** Whether a pod can have its own quantity of the resource. */
function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

function isEmpty(resources: Record<string, Quantity> | undefined): boolean {
  return Object.keys(resources ?? {}).length === 0;
}
