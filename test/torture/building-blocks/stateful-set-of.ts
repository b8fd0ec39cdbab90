import type { StatefulSet } from 'ots-kubernetes/apps/v1';
import type { Container, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import {
  type ApplyConfiguration,
  type DeepReadonly,
  type KubernetesObject,
  controllerReference,
} from 'ots-runtime';

/** What the StatefulSet of an object is like. */
export interface StatefulSetShape {
  readonly replicas?: number | undefined;
  readonly image: string;
  /** Of each volume, such as `1Gi`. Default: the pods have no volumes. */
  readonly storage?: string | undefined;
  /** Of pods and claims, besides `app`. Default none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Of the StatefulSet. Default none. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** A Secret that pods read their environment from. Default none. */
  readonly secret?: string;
}

/** The StatefulSet that an object controls, under its name. Its pods have the label `app` with it, its claims are `data-<pod>`. */
export function statefulSetOf(
  owner: DeepReadonly<KubernetesObject>,
  { replicas, image, storage, labels: others, annotations, secret }: StatefulSetShape,
): ApplyConfiguration<StatefulSet> & { metadata: { name: string; namespace: string } } {
  const { name = '', namespace = '' } = owner.metadata;
  const labels = { app: name, ...others };
  const container: Container = {
    name: 'main',
    image,
    ...(secret !== undefined && { envFrom: [{ secretRef: { name: secret } }] }),
    ...(storage !== undefined && { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
  };
  return {
    metadata: {
      name,
      namespace,
      ownerReferences: [controllerReference(owner)],
      ...(annotations && { annotations: { ...annotations } }),
    },
    spec: {
      serviceName: name,
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
      ...(storage !== undefined && { volumeClaimTemplates: [claimTemplate(storage)] }),
    },
  };
}

/** With the defaults of the server: an apply that changes nothing then sends nothing. */
function claimTemplate(storage: string): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      volumeMode: 'Filesystem',
      resources: { requests: { storage } },
    },
    status: { phase: 'Pending' },
  };
}

/** The claims of a StatefulSet are `data-<name>-<ordinal>`. */
export function ordinalOf({ metadata: { name = '' } }: DeepReadonly<KubernetesObject>): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}
