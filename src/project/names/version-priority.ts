const STAGES = ['alpha', 'beta', undefined];

/**
 * Sorts versions as Kubernetes does, the one that clients prefer first: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, and then by name
 * what is not a version of this form (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning).
 */
export function byVersionPriority(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const index = left.findIndex((part, at) => part !== right[at]);
  return index === -1 ? 0 : right[index]! - left[index]!;
}

/** How stable it is, its major and its minor number. */
function partsOf(version: string): number[] | undefined {
  const [, major, stage, minor] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? undefined : [STAGES.indexOf(stage), Number(major), Number(minor ?? 0)];
}
