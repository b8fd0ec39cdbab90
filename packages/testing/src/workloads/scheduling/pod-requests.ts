import { nanosOf } from 'ots-apimachinery/quantity/amount';
import type { Quantity } from 'ots-kubernetes';
import type { Container } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';

/** Amounts by resource: CPU in thousandths of a core, everything else in whole units. */
export type Resources = ReadonlyMap<string, number>;

/** Reads amounts of resources, rounded up. */
export function resourcesOf(quantities: Readonly<Record<string, Quantity>> = {}): Map<string, number> {
  return new Map(
    Object.entries(quantities).map(([name, quantity]) => {
      const unit = name === 'cpu' ? 1_000_000n : 1_000_000_000n;
      return [name, Number((nanosOf(quantity) + unit - 1n) / unit)];
    }),
  );
}

/** Adds amounts to a total, or subtracts them. */
export function addResources(total: Map<string, number>, added: Resources, sign: 1 | -1 = 1): void {
  for (const [name, amount] of added) total.set(name, (total.get(name) ?? 0) + sign * amount);
}

/**
 * What a pod requests of its node: its containers and sidecars together, or an init container with the sidecars before it if that is
 * more, or what the pod as a whole requests, and its overhead
 * (https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers).
 */
export function podRequests({ spec }: CachedPod): Map<string, number> {
  const { containers = [], initContainers = [], overhead, resources } = spec ?? {};
  const total = new Map<string, number>();
  for (const container of containers) addResources(total, requestsOf(container));
  const sidecars = new Map<string, number>();
  const most = new Map<string, number>();
  for (const container of initContainers) {
    const requests = requestsOf(container);
    if (container.restartPolicy === 'Always') {
      addResources(total, requests);
      addResources(sidecars, requests);
      raise(most, sidecars);
    } else {
      addResources(requests, sidecars);
      raise(most, requests);
    }
  }
  raise(total, most);
  for (const [name, amount] of resourcesOf(resources?.requests)) total.set(name, amount);
  addResources(total, resourcesOf(overhead));
  return total;
}

function requestsOf({ resources }: DeepReadonly<Container>): Map<string, number> {
  return resourcesOf(resources?.requests);
}

function raise(total: Map<string, number>, amounts: Resources): void {
  for (const [name, amount] of amounts) total.set(name, Math.max(total.get(name) ?? 0, amount));
}
