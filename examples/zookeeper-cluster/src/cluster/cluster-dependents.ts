// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import type { ApplyConfiguration, DeepReadonly, ReconcileContext } from 'ots-runtime';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { quorumOf } from './cluster-view.ts';
import { memberLabels } from './names.ts';
import { restrictedContainer, restrictedPod } from './security.ts';
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
  members: {
    kind: StatefulSet,
    dependsOn: ['peers', 'config'],
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

function memberSet(
  cluster: Cluster,
  { ensemble, certificates = '' }: ClusterContext,
): ApplyConfiguration<StatefulSet> {
  const { name, uid } = cluster.metadata;
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
          metadata: {
            name: 'data',
            // They outlive a StatefulSet that is deleted by hand, but not the cluster.
            ownerReferences: [
              {
                apiVersion: 'zookeeper.example.com/v1',
                kind: 'ZookeeperCluster',
                name: name!,
                uid: uid!,
              },
            ],
          },
          spec: {
            accessModes: ['ReadWriteOnce'],
            volumeMode: 'Filesystem',
            resources: { requests: { storage: cluster.spec.storage ?? '1Gi' } },
          },
          // The server adds this. It compares the list as a whole, so without it every reconcile would send a request.
          status: { phase: 'Pending' },
        },
      ],
    },
  };
}

/** The number of a member is one more than that of its pod. */
const start =
  'echo $((${POD_NAME##*-} + 1)) > /data/myid && exec zkServer.sh --config /conf start-foreground';

function memberPod(cluster: Cluster) {
  const { repository = 'docker.io/library/zookeeper', tls, version } = cluster.spec;
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
        image: `${repository}:${version}`,
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
