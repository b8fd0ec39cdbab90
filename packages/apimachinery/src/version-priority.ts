const stages = ['alpha', 'beta', undefined];
/** Go's int is the largest number that the server reads. */
const maxNumber = 2n ** 63n - 1n;

/**
 * Compares two API versions as Kubernetes does, the one that clients prefer first: stable before beta before alpha, then the
 * larger number first. What does not have the form of a version comes last, sorted by name.
 * Source: CompareKubeAwareVersionStrings of k8s.io/apimachinery, as kube-apiserver sorts the versions of a group.
 *
 * @returns a negative number when `a` comes first, a positive number when `b` does, 0 when neither has priority (v1 and v01)
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : Number(a > b);
  const index = left.findIndex((part, at) => part !== right[at]);
  return index === -1 ? 0 : left[index]! > right[index]! ? -1 : 1;
}

/** The stage, where stable is the largest, the major number, and the number of the alpha or beta. */
function partsOf(version: string): bigint[] | undefined {
  const [, major, stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  const parts = [stages.indexOf(stage), major, minor].map(BigInt);
  return parts.every((part) => part <= maxNumber) ? parts : undefined;
}
