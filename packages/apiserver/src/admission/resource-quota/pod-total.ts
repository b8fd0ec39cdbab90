import type { Pod } from 'ots-kubernetes/core/v1';
import { sumOfContainers } from '../../built-in/pods/sum-of-containers.ts';
import { type Amounts, add, parseAmounts } from './amounts.ts';

/** What a pod states for itself wins over the sum of its containers. Its overhead comes on top. */
export function totalOf({ spec = { containers: [] } }: Pod, kind: 'requests' | 'limits'): Amounts {
  const ofPod = [...parseAmounts(spec.resources?.[kind])].filter(([name]) => isOfPods(name));
  const total: Amounts = new Map([...sumOfContainers(spec, kind), ...ofPod]);
  const overhead = [...parseAmounts(spec.overhead)];
  const added = kind === 'requests' ? overhead : overhead.filter(([name]) => total.get(name)?.nanos);
  return add(total, new Map(added));
}

/** Whether a pod can state a resource for all its containers. */
export function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}
