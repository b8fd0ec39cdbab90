import type { KubernetesObject } from 'ots-kubernetes';
import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { Deployment } from 'ots-kubernetes/apps/v1';

/** What a version of OLM consists of. */
export interface Installation {
  readonly definitions: readonly CustomResourceDefinition[];
  /** In the order in which they are created. */
  readonly objects: readonly KubernetesObject[];
}

/** One of the programs of OLM. Its image runs as any other does on a simulated node. */
export function program(
  { namespace, name, serviceAccount }: { namespace: string; name: string; serviceAccount: string },
  { image, labels }: { image: string; labels: Record<string, string> },
): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: serviceAccount, containers: [{ name, image }] },
      },
    },
  };
}

export function namespaceObject(name: string, labels: Record<string, string> = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

export function accountObject(namespace: string, name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
}

/** Lets a ServiceAccount do everything, by a ClusterRole that exists or is created beside it. */
export function bindingObject(
  name: string,
  role: string,
  account: { name: string; namespace: string },
): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  } as KubernetesObject;
}
