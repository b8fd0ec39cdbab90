import type { Kind } from 'ots-kubernetes';

/** Returns what to do when the server does not have a kind, as the second half of a sentence. */
export function installHint(kind: Pick<Kind, 'group'>): string {
  if (isBuiltIn(kind))
    return 'this version of Kubernetes does not serve it: use another version, or another apiVersion';
  // Reserved for Kubernetes projects, such as Gateway API.
  if (/(^|\.)k8s\.io$/.test(kind.group)) return 'install the project that it belongs to';
  return 'run npm run install:crds, or install the project that it belongs to';
}

/** The built-in groups below `k8s.io`. CRDs of Kubernetes projects, such as Gateway API, use other groups there. */
const groups = new Set(
  [
    'admissionregistration',
    'apiextensions',
    'apiregistration',
    'authentication',
    'authorization',
    'certificates',
    'coordination',
    'discovery',
    'events',
    'flowcontrol.apiserver',
    'internal.apiserver',
    'networking',
    'node',
    'rbac.authorization',
    'resource',
    'scheduling',
    'storage',
    'storagemigration',
  ].map((name) => `${name}.k8s.io`),
);

/** Returns true for a built-in kind of Kubernetes, which no CustomResourceDefinition defines. */
export function isBuiltIn({ group }: Pick<Kind, 'group'>): boolean {
  return !group.includes('.') || groups.has(group);
}
