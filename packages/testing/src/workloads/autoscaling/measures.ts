import type { CachedPod } from '../pods/pod-state.ts';
import type { Measure } from './average-replicas.ts';
import { milliOf } from './metrics-client.ts';

/** Judges readings by a target for their average. @param target in thousandths */
export function byAverage(target: number): Measure {
  return {
    measurementOf: (readings) => {
      const usage = Math.trunc(sum(readings.values()) / readings.size);
      return { ratio: usage / target, usage };
    },
    assumed: () => target,
  };
}

/**
 * Judges readings by their share of what the pods request.
 *
 * @param target in percent
 * @throws {Error} if a container requests nothing
 */
export function byUtilization(
  target: number,
  {
    pods,
    resource,
    container,
  }: { pods: readonly CachedPod[]; resource: string; container?: string | undefined },
): Measure {
  const requests = new Map(pods.map((pod) => [pod.metadata.name!, requestOf(pod, resource, container)]));
  return {
    measurementOf: (readings) => {
      const known = new Map([...readings].filter(([name]) => requests.has(name)));
      const requested = sum([...known.keys()].map((name) => requests.get(name)!));
      if (requested === 0) throw new Error('no metrics returned matched known pods');
      const used = sum(known.values());
      const utilization = Math.trunc((used * 100) / requested);
      return { ratio: utilization / target, utilization, usage: Math.trunc(used / known.size) };
    },
    assumed: (name) => Math.trunc(((requests.get(name) ?? 0) * Math.max(100, target)) / 100),
  };
}

/** What a pod, or one of its containers, requests of a resource in thousandths. */
function requestOf({ metadata, spec }: CachedPod, resource: string, container: string | undefined): number {
  const { name } = metadata;
  if (container === undefined && spec?.resources?.requests) {
    const request = spec.resources.requests[resource];
    if (request === undefined) throw new Error(`missing pod-level request for ${resource} in Pod ${name}`);
    return milliOf(request);
  }
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const counted = [...(spec?.containers ?? []), ...sidecars].filter(
    (each) => container === undefined || each.name === container,
  );
  if (counted.length === 0) throw new Error(`container ${container} not found in Pod ${name}`);
  return sum(
    counted.map((each) => {
      const request = each.resources?.requests?.[resource];
      if (request === undefined)
        throw new Error(`missing request for ${resource} in container ${each.name} of Pod ${name}`);
      return milliOf(request);
    }),
  );
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
