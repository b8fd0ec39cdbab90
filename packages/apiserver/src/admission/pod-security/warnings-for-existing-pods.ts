import type { Pod } from 'ots-kubernetes/core/v1';
import { checkedPodOf } from './check.ts';
import { violationsOf } from './evaluate.ts';
import { type LevelVersion, formatLevel } from './policy.ts';

const maxPods = 3000;

/** Warns about the pods of a namespace that break the level that it enforces from now on. */
export function warningsForExistingPods(
  namespace: string,
  pods: readonly Pod[],
  enforce: LevelVersion,
): string[] {
  const checked = onePerControllerFirst(pods).slice(0, maxPods);
  const podsByViolation = new Map<string, string[]>();
  for (const pod of checked) {
    const found = violationsOf(checkedPodOf(pod), enforce);
    if (found.length === 0) continue;
    const reasons = found.map(({ reason }) => reason).join(', ');
    podsByViolation.set(reasons, [...(podsByViolation.get(reasons) ?? []), pod.metadata?.name ?? '']);
  }
  const partly = `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`;
  const head = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${formatLevel(enforce)}"`;
  const lines = [...podsByViolation].map(([reasons, names]) => `${shortList(names)}: ${reasons}`);
  return [
    ...(checked.length < pods.length ? [partly] : []),
    ...(lines.length > 0 ? [head] : []),
    ...lines.toSorted(),
  ];
}

/** The replicas of a controller look the same. */
function onePerControllerFirst(pods: readonly Pod[]): Pod[] {
  const seen = new Set<string>();
  const replicas: Pod[] = [];
  const firsts = pods.filter((pod) => {
    const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller);
    if (!owner) return true;
    if (seen.has(owner.uid)) replicas.push(pod);
    return !seen.has(owner.uid) && seen.add(owner.uid);
  });
  return [...firsts, ...replicas];
}

function shortList(names: readonly string[]): string {
  const [first = ''] = names.toSorted();
  const others = names.length - 1;
  if (others === 0) return first;
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
