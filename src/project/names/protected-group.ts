/**
 * Tells whether CRDs in a group need the annotation api-approved.kubernetes.io, which is for the Kubernetes
 * community alone (KEP 1111).
 */
export function isProtectedGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
