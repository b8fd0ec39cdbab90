// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import {
  type ApplyConfiguration,
  type DeepReadonly,
  type ReconcileContext,
  isConditionTrue,
} from 'ots-runtime';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { quorumOf } from './cluster-view.ts';
import { imageOf, memberLabels, volumeName } from './names.ts';
import { restrictedContainer, restrictedPod } from './security.ts';
import { restoreScript, snapshotJob } from './snapshot-job.ts';
import { zooConfig } from './zoo-config.ts';

/** What a reconcile has read before its workflow runs. */
export interface ClusterContext extends ReconcileContext {
  /** How many members the configuration has. */
  readonly ensemble: number;
  /** Changes with the certificates; undefined without TLS. */
  readonly certificates: string | undefined;
}

type Cluster = DeepReadonly<ZookeeperCluster>;

/** The objects of a cluster, for a workflow. */
export const clusterDependents = {
  peers: { kind: Service, desired: peerService },
  clients: { kind: Service, desired: clientService },
  budget: { kind: PodDisruptionBudget, desired: disruptionBudget },
  config: {
    kind: ConfigMap,
    desired: (cluster: Cluster, _: unknown, { ensemble }: ClusterContext) =>
      configMap(cluster, ensemble),
  },
  restore: {
    kind: Job,
    // A version that does not exist can be corrected.
    updateStrategy: 'Recreate',
    // An `if` in `desired`, not a `when`: the members depend on it, and stay when it is no longer wanted.
    desired: (cluster: Cluster) =>
      cluster.spec.restore && cluster.status?.version === undefined
        ? restoreJob(cluster, cluster.spec.restore.backup)
        : undefined,
    readyWhen: (job: DeepReadonly<Job>) => isConditionTrue(job.status?.conditions, 'Complete'),
  },
  members: {
    kind: StatefulSet,
    dependsOn: ['peers', 'config', 'restore'],
    desired: (cluster: Cluster, _: unknown, context: ClusterContext) => memberSet(cluster, context),
    readyWhen: (set: DeepReadonly<StatefulSet>) => set.status?.readyReplicas === set.spec?.replicas,
  },
} as const;

/** Members find each other by names that exist before they are ready. */
function peerService(cluster: Cluster): ApplyConfiguration<Service> {
  return {
    metadata: { name: cluster.metadata.name! },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: memberLabels(cluster),
      ports: [
        { name: 'client', port: 2181 },
        { name: 'peer', port: 2888 },
        { name: 'election', port: 3888 },
      ],
    },
  };
}

function clientService(cluster: Cluster): ApplyConfiguration<Service> {
  return {
    metadata: { name: `${cluster.metadata.name}-client` },
    spec: {
      selector: memberLabels(cluster),
      ports: [
        { name: 'client', port: 2181 },
        ...(cluster.spec.tls ? [{ name: 'secure', port: 2281 }] : []),
      ],
    },
  };
}

/** Evictions leave a majority. */
function disruptionBudget(cluster: Cluster): ApplyConfiguration<PodDisruptionBudget> {
  return {
    metadata: { name: cluster.metadata.name! },
    spec: {
      minAvailable: quorumOf(cluster.spec.size ?? 3),
      selector: { matchLabels: memberLabels(cluster) },
    },
  };
}

function configMap(cluster: Cluster, ensemble: number): ApplyConfiguration<ConfigMap> {
  return {
    metadata: { name: `${cluster.metadata.name}-config` },
    data: { 'zoo.cfg': zooConfig(cluster, ensemble) },
  };
}

/** Fills the volume of the first member with a snapshot. */
function restoreJob(cluster: Cluster, backup: string): ApplyConfiguration<Job> {
  return snapshotJob({
    name: `${cluster.metadata.name}-restore`,
    image: imageOf(cluster),
    script: restoreScript,
    volumes: {
      backup: { claim: backup, path: '/backup' },
      data: { claim: volumeName(cluster, 0), path: '/data' },
    },
  });
}

function memberSet(
  cluster: Cluster,
  { ensemble, certificates = '' }: ClusterContext,
): ApplyConfiguration<StatefulSet> {
  const { name } = cluster.metadata;
  const labels = memberLabels(cluster);
  const hash = createHash('sha256').update(zooConfig(cluster, ensemble)).update(certificates);
  return {
    metadata: { name: name! },
    spec: {
      replicas: ensemble,
      serviceName: name!,
      // A majority must start at the same time.
      podManagementPolicy: 'Parallel',
      // The operator restarts the members, one after another, and asks them in between.
      updateStrategy: { type: 'OnDelete' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'zookeeper.example.com/config': hash.digest('hex') } },
        spec: memberPod(cluster),
      },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data', ownerReferences: [volumeOwner(cluster)] },
          spec: volumeSpec(cluster),
          // The server adds this. It compares the list as a whole, so without it every reconcile would send a request.
          status: { phase: 'Pending' },
        },
      ],
    },
  };
}

/** The owner of the volumes, which outlive a StatefulSet that is deleted by hand, but not the cluster. */
export function volumeOwner({ metadata: { name, uid } }: Cluster) {
  return {
    apiVersion: 'zookeeper.example.com/v1',
    kind: 'ZookeeperCluster',
    name: name!,
    uid: uid!,
  };
}

/** The volume of a member. */
export function volumeSpec({ spec: { storage = '1Gi' } }: Cluster) {
  return {
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    resources: { requests: { storage } },
  } as const;
}

/** The number of a member is one more than that of its pod. */
const start =
  'echo $((${POD_NAME##*-} + 1)) > /data/myid && exec zkServer.sh --config /conf start-foreground';

function memberPod(cluster: Cluster) {
  const { tls } = cluster.spec;
  return {
    ...restrictedPod,
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: {
              topologyKey: 'kubernetes.io/hostname',
              labelSelector: { matchLabels: memberLabels(cluster) },
            },
          },
        ],
      },
    },
    containers: [
      {
        name: 'zookeeper',
        image: imageOf(cluster),
        command: ['bash', '-c', start],
        env: [
          {
            name: 'POD_NAME',
            valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } },
          },
        ],
        ports: [
          { name: 'client', containerPort: 2181 },
          { name: 'peer', containerPort: 2888 },
          { name: 'election', containerPort: 3888 },
          { name: 'admin', containerPort: 8080 },
          ...(tls ? [{ name: 'secure', containerPort: 2281 }] : []),
        ],
        readinessProbe: {
          exec: { command: ['bash', '-c', 'echo srvr | nc localhost 2181 | grep ^Mode:'] },
          periodSeconds: 2,
        },
        securityContext: restrictedContainer,
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'config', mountPath: '/conf' },
          ...(tls ? [{ name: 'tls', mountPath: '/conf-tls' }] : []),
        ],
      },
    ],
    volumes: [
      { name: 'config', configMap: { name: `${cluster.metadata.name}-config` } },
      ...(tls ? [{ name: 'tls', secret: { secretName: tls.secretName } }] : []),
    ],
  };
}
