import type { Kind } from 'ots-kubernetes';

/** What to do when the server does not have a kind: the second half of a sentence. */
export function installHint(kind: Pick<Kind, 'group'>): string {
  if (isBuiltIn(kind))
    return 'this version of Kubernetes does not serve it: use another version, or another apiVersion';
  // Reserved for projects of Kubernetes, such as Gateway API.
  if (/(^|\.)k8s\.io$/.test(kind.group)) return 'install the project that it belongs to';
  return 'run npm run install:crds, or install the project that it belongs to';
}

/** The groups of Kubernetes itself below `k8s.io`, which CRDs of its other projects also use, such as Gateway API. */
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

/** True for a kind of Kubernetes itself, which no CustomResourceDefinition brings. */
export function isBuiltIn({ group }: Pick<Kind, 'group'>): boolean {
  return !group.includes('.') || groups.has(group);
}
