// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

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
import type { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { type ClusterView, quorumOf } from './cluster-view.ts';
import { memberConfig } from './member-config.ts';
import {
  clientServiceName,
  configName,
  imageOf,
  memberLabels,
  memberName,
  memberURL,
  ordinalOf,
  volumeName,
} from './names.ts';
import { restrictedContainer, restrictedPod } from './security.ts';
import { snapshotJob } from './snapshot-job.ts';

/** What a reconcile has read before its workflow runs. */
export interface ClusterContext extends ReconcileContext {
  readonly view: ClusterView;
  /** Changes with the certificates; undefined without TLS. */
  readonly certificates: string | undefined;
}

type Cluster = DeepReadonly<EtcdCluster>;

/** The objects of a cluster, for a workflow. */
export const clusterDependents = {
  peers: { kind: Service, desired: peerService },
  clients: { kind: Service, desired: clientService },
  budget: { kind: PodDisruptionBudget, desired: disruptionBudget },
  config: {
    kind: ConfigMap,
    desired: (cluster: Cluster, _: unknown, { view }: ClusterContext) => configMap(cluster, view),
  },
  restore: {
    kind: Job,
    // An `if` in `desired`, not a `when`: the members depend on it, and stay when it is no longer wanted.
    desired: (cluster: Cluster) =>
      cluster.spec.restore && !cluster.status?.clusterID
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

/** The members that should run: those of the cluster, or the first one of a new cluster. */
function wantedOrdinals(cluster: Cluster, { members }: ClusterView): number[] {
  const recorded = cluster.status?.members ?? [];
  const wanted =
    members?.map(({ ordinal }) => ordinal) ?? recorded.map(({ name }) => ordinalOf(cluster, name)!);
  return wanted.length > 0 ? wanted : [0];
}

/** Members find each other by names that exist before they are ready. */
function peerService(cluster: Cluster): ApplyConfiguration<Service> {
  return {
    metadata: { name: cluster.metadata.name! },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: memberLabels(cluster),
      ports: [
        { name: 'client', port: 2379 },
        { name: 'peer', port: 2380 },
      ],
    },
  };
}

function clientService(cluster: Cluster): ApplyConfiguration<Service> {
  return {
    metadata: { name: clientServiceName(cluster.metadata.name!) },
    spec: {
      selector: memberLabels(cluster),
      ports: [{ name: 'client', port: 2379 }],
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

/** One file for each member of the cluster. A pod that is not one of them does not start, and leaves its volume empty. */
function configMap(cluster: Cluster, view: ClusterView): ApplyConfiguration<ConfigMap> {
  const ordinals = wantedOrdinals(cluster, view);
  const isNew = !view.members && cluster.status?.clusterID === undefined;
  return {
    metadata: { name: configName(cluster) },
    data: Object.fromEntries(
      ordinals.map((ordinal) => [
        `${memberName(cluster, ordinal)}.yaml`,
        memberConfig(cluster, ordinal, { ordinals, isNew }),
      ]),
    ),
  };
}

/** Fills the volume of the first member with a snapshot. */
function restoreJob(cluster: Cluster, backup: string): ApplyConfiguration<Job> {
  const name = memberName(cluster, 0);
  const peerURL = memberURL(cluster, 0, 2380);
  return snapshotJob({
    name: `${cluster.metadata.name}-restore`,
    image: imageOf(cluster),
    command: [
      '/usr/local/bin/etcdutl',
      'snapshot',
      'restore',
      '/backup/snapshot.db',
      '--data-dir=/var/lib/etcd/data',
      `--name=${name}`,
      `--initial-cluster=${name}=${peerURL}`,
      `--initial-advertise-peer-urls=${peerURL}`,
    ],
    volumes: {
      backup: { claim: backup, path: '/backup' },
      data: { claim: volumeName(cluster, 0), path: '/var/lib/etcd' },
    },
  });
}

function memberSet(
  cluster: Cluster,
  { view, certificates }: ClusterContext,
): ApplyConfiguration<StatefulSet> {
  const { name, uid } = cluster.metadata;
  const labels = memberLabels(cluster);
  const last = Math.max(...wantedOrdinals(cluster, view));
  // Without an answer, the set stays as it is.
  const least = view.members ? 0 : (view.set?.spec?.replicas ?? 0);
  const annotations = certificates && { 'etcd.example.com/certificates': certificates };
  return {
    metadata: { name: name! },
    spec: {
      replicas: Math.max(last + 1, least),
      serviceName: name!,
      // Members that have lost their majority must start at the same time.
      podManagementPolicy: 'Parallel',
      // The operator restarts the members, one after another, and asks the cluster in between.
      updateStrategy: { type: 'OnDelete' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, ...(annotations && { annotations }) },
        spec: memberPod(cluster),
      },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data', ownerReferences: [volumeOwner(name!, uid!)] },
          spec: volumeSpec(cluster),
          ...volumeDefaults,
        },
      ],
    },
  };
}

/** The owner of the volumes, which outlive a StatefulSet that is deleted by hand, but not the cluster. */
export function volumeOwner(name: string, uid: string) {
  return { apiVersion: 'etcd.example.com/v1', kind: 'EtcdCluster', name, uid };
}

/**
 * What the server adds to a volume of a StatefulSet. The list of these volumes has one owner as a whole, so without them every reconcile
 * would have to ask the server whether something changes.
 */
const volumeDefaults = { status: { phase: 'Pending' } } as const;

/** The volume of a member. */
export function volumeSpec({ spec: { storage = '1Gi' } }: Cluster) {
  return {
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    resources: { requests: { storage } },
  } as const;
}

function memberPod(cluster: Cluster) {
  const { tls } = cluster.spec;
  const mounts = [
    { name: 'data', mountPath: '/var/lib/etcd' },
    { name: 'config', mountPath: '/etc/etcd' },
    ...(tls ? [{ name: 'tls', mountPath: '/etc/etcd-tls' }] : []),
  ];
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
        name: 'etcd',
        image: imageOf(cluster),
        command: ['/usr/local/bin/etcd'],
        args: ['--config-file=/etc/etcd/$(POD_NAME).yaml'],
        env: [
          {
            name: 'POD_NAME',
            valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } },
          },
        ],
        ports: [
          { name: 'client', containerPort: 2379 },
          { name: 'peer', containerPort: 2380 },
          { name: 'metrics', containerPort: 2381 },
        ],
        readinessProbe: { httpGet: { path: '/health', port: 2381 }, periodSeconds: 2 },
        securityContext: restrictedContainer,
        volumeMounts: mounts,
      },
    ],
    volumes: [
      { name: 'config', configMap: { name: configName(cluster) } },
      ...(tls ? [{ name: 'tls', secret: { secretName: tls.secretName } }] : []),
    ],
  };
}
