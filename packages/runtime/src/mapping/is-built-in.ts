import type { Kind } from 'ots-kubernetes';

/** The groups of Kubernetes itself below `k8s.io`, where CRDs of its other projects are as well, such as Gateway API. */
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
