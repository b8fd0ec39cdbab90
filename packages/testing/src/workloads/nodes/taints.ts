import { wholeNumber } from 'ots-apimachinery/selectors/label-matcher';
import type { DeepReadonly } from 'ots-runtime';
import type { Taint, Toleration } from 'ots-kubernetes/core/v1';

export const unschedulableTaint = 'node.kubernetes.io/unschedulable';

type Effect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
type ReadonlyTaint = DeepReadonly<Taint>;
type ReadonlyToleration = DeepReadonly<Toleration>;

/** Whether a toleration accepts a taint. An empty key accepts every taint, an empty effect every effect. */
function tolerates(toleration: ReadonlyToleration, { key, value = '', effect }: ReadonlyTaint): boolean {
  if (toleration.effect && toleration.effect !== effect) return false;
  if (toleration.key && toleration.key !== key) return false;
  const expected = toleration.value ?? '';
  switch (toleration.operator) {
    case 'Exists':
      return true;
    case 'Gt':
    case 'Lt': {
      const [have, bound] = [wholeNumber(value), wholeNumber(expected)];
      if (have === undefined || bound === undefined) return false;
      return toleration.operator === 'Gt' ? have > bound : have < bound;
    }
    default:
      return expected === value;
  }
}

/** The first taint with one of the effects that no toleration accepts. */
export function untoleratedTaint(
  taints: readonly ReadonlyTaint[] = [],
  tolerations: readonly ReadonlyToleration[] = [],
  effects: readonly Effect[],
): ReadonlyTaint | undefined {
  return taints.find(
    (taint) =>
      effects.includes(taint.effect) && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/**
 * How long a pod may stay on a node with taints, by the first toleration of each.
 *
 * @returns in seconds: 0 if it does not tolerate all of them, infinite if it may stay for good
 */
export function toleratedSeconds(
  taints: readonly ReadonlyTaint[],
  tolerations: readonly ReadonlyToleration[] = [],
): number {
  const seconds = taints.map((taint) => {
    const toleration = tolerations.find((each) => tolerates(each, taint));
    return toleration ? (toleration.tolerationSeconds ?? Infinity) : 0;
  });
  return Math.max(0, Math.min(...seconds));
}
