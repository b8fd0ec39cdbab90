import { goQuote } from 'ots-apimachinery/go/go-quote';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import type { Quantity } from 'ots-kubernetes';
import type { ResourceFieldSelector } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedPod } from '../../pods/pod-state.ts';
import type { ContainerSpec } from '../container-run.ts';
import { ConfigurationError } from './configuration-error.ts';

/** What a kubelet tells a container about its pod. */
export interface PodFacts {
  readonly pod: CachedPod;
  readonly podIP: string;
  readonly hostIP: string;
  /** What the node has: a container without a limit may use all of it. */
  readonly capacity: Readonly<Record<string, Quantity>>;
}

const entry = /^metadata\.(labels|annotations)\['(.*)'\]$/;

/** The value of a field of the pod (https://kubernetes.io/docs/concepts/workloads/pods/downward-api/). */
export function fieldValue(fieldPath: string, { pod, podIP, hostIP }: PodFacts): string {
  const { metadata, spec } = pod;
  const [, map, key = ''] = entry.exec(fieldPath) ?? [];
  if (map) return metadata[map as 'labels' | 'annotations']?.[key] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return linesOf(metadata.labels);
    case 'metadata.annotations':
      return linesOf(metadata.annotations);
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return hostIP;
    case 'status.podIP':
    case 'status.podIPs':
      return podIP;
    default:
      throw new ConfigurationError(`unsupported fieldPath: ${fieldPath}`);
  }
}

function linesOf(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) => `${key}=${goQuote(map[key]!)}`)
    .join('\n');
}

/** The amount of a resource of a container in units of the divisor, rounded up. */
export function resourceValue(
  { resource, divisor = '0' }: DeepReadonly<ResourceFieldSelector>,
  { resources = {} }: ContainerSpec,
  capacity: PodFacts['capacity'],
): string {
  const [list = '', name = ''] = resource.split(/\.(.*)/);
  const given = list === 'limits' ? (resources.limits?.[name] ?? capacity[name]) : resources.requests?.[name];
  const unit = nanosOf(divisor) || 1_000_000_000n;
  return `${(nanosOf(given ?? '0') + unit - 1n) / unit}`;
}
