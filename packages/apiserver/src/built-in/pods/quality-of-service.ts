import type { Quantity } from 'ots-kubernetes';
import type { PodSpec, ResourceRequirements } from 'ots-kubernetes/core/v1';
import { nanosOf } from 'ots-apimachinery/quantity/amount';

const counted = ['cpu', 'memory'];

/** The QoS class of a pod: Guaranteed if its requests equal its limits, BestEffort if it has neither, otherwise Burstable. */
export function qualityOfService(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const all: ResourceRequirements[] = spec.resources
    ? [spec.resources]
    : containers.map(({ resources }) => resources ?? {});
  const requests = sum(all.map((resources) => resources.requests));
  const limits = sum(all.map((resources) => resources.limits));
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isLimited = all.every((resources) => counted.every((name) => amountOf(resources.limits, name) > 0n));
  const isSame =
    requests.size === limits.size && [...requests].every(([name, amount]) => limits.get(name) === amount);
  return isLimited && isSame ? 'Guaranteed' : 'Burstable';
}

function sum(lists: readonly (Record<string, Quantity> | undefined)[]): ReadonlyMap<string, bigint> {
  const amounts = counted.map(
    (name) => [name, lists.reduce((total, list) => total + amountOf(list, name), 0n)] as const,
  );
  return new Map(amounts.filter(([, amount]) => amount > 0n));
}

/** Negative quantities count as zero. */
function amountOf(list: Record<string, Quantity> | undefined, name: string): bigint {
  const amount = nanosOf(list?.[name] ?? 0);
  return amount > 0n ? amount : 0n;
}
