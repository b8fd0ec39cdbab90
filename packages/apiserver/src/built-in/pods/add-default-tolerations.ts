import type { PodSpec, Toleration } from 'ots-kubernetes/core/v1';

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const seconds = 300;

/**
 * The admission plugin DefaultTolerationSeconds: a pod stays for a while on a node with a problem, so short
 * outages do no harm. Changes the spec.
 */
export function addDefaultTolerations(spec: PodSpec): void {
  const { tolerations = [] } = spec;
  const added: Toleration[] = taints
    .filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }));
  if (added.length > 0) spec.tolerations = [...tolerations, ...added];
}

function tolerates({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}
