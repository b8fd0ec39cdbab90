/**
 * Whether CRDs in a group need the annotation api-approved.kubernetes.io, which is reserved for the Kubernetes
 * community (KEP 1111).
 */
export function isProtectedGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
