// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import { type EnvVar, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import {
  type ConditionUpdate,
  type Client,
  ControllerBuilder,
  type DeepReadonly,
  type Manager,
  type ObservedChildren,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
  Workflow,
  type WorkflowResult,
  findCondition,
  generationChanged,
  isConditionTrue,
  keyOf,
  setCondition,
} from 'ots-runtime';
import { ZookeeperBackup } from '../api/v1/zookeeper-backup.ts';
import { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { adminURL, clusterLabel, imageOf, ordinalOf } from '../cluster/names.ts';
import { saveScript, snapshotJob } from '../cluster/snapshot-job.ts';

type Backup = DeepReadonly<ZookeeperBackup>;
type Cluster = DeepReadonly<ZookeeperCluster>;

/** What a reconcile has read before its workflow runs. */
interface BackupContext extends ReconcileContext {
  /** Undefined if it does not exist. */
  readonly cluster: Cluster | undefined;
}

/**
 * ZookeeperBackupReconciler takes the snapshot of each ZookeeperBackup, once.
 *
 * @rbac groups=zookeeper.example.com resources=zookeeperbackups verbs=list;watch
 * @rbac groups=zookeeper.example.com resources=zookeeperbackups/status verbs=patch
 * @rbac groups=zookeeper.example.com resources=zookeeperclusters verbs=list;watch
 * @rbac groups=batch resources=jobs verbs=get;list;watch;create;delete
 * @rbac groups=core resources=persistentvolumeclaims verbs=get;list;watch;create;patch
 */
export class ZookeeperBackupReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;
  readonly #workflow;

  /** @param now returns the current time; tests pass a fixed one. */
  constructor(manager: Manager, now = manager.now) {
    this.#client = manager.client;
    this.#now = now;
    this.#workflow = new Workflow(manager, {
      primary: ZookeeperBackup,
      dependents: {
        volume: { kind: PersistentVolumeClaim, desired: snapshotVolume },
        snapshot: {
          kind: Job,
          dependsOn: ['volume'],
          // Once it has started it stays the same, whatever becomes of the cluster.
          updateStrategy: 'OnDelete',
          // A Job that a user deletes later must not overwrite the snapshot.
          when: ({ status }: Backup) => status?.completionTime === undefined,
          desired: saveJob,
          readyWhen: (job: DeepReadonly<Job>) =>
            isConditionTrue(job.status?.conditions, 'Complete'),
        },
      },
    });
  }

  /** The kinds that belong to a backup. */
  get kinds() {
    return this.#workflow.kinds;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const backup = await this.#client.get(ZookeeperBackup, request);
    if (!backup || backup.metadata.deletionTimestamp) return undefined;
    const key = { name: backup.spec.cluster, namespace: request.namespace };
    const cluster = await this.#client.get(ZookeeperCluster, key);
    const backupContext: BackupContext = { ...context, cluster };
    let isDone = false;
    await this.#workflow.reconcile(backup, backupContext, async (result) => {
      isDone = await this.#report(backup, cluster, result);
    });
    return isDone ? { requeueAfter: '1s' } : undefined;
  }

  /** @returns whether the snapshot is complete and its Job can go. */
  async #report(
    backup: Backup,
    cluster: Cluster | undefined,
    { isReady }: WorkflowResult,
  ): Promise<boolean> {
    const { generation, name } = backup.metadata;
    const now = this.#now();
    const job = await this.#client.get(Job, keyOf(backup));
    const complete = {
      ...completeness(backup, cluster, { job, isReady }),
      observedGeneration: generation,
    };
    const isNew = complete.status === 'True' && backup.status?.completionTime === undefined;
    await this.#client.status.patch(ZookeeperBackup, backup, (draft) => {
      draft.status = {
        ...draft.status,
        observedGeneration: generation!,
        volume: name!,
        conditions: setCondition(draft.status?.conditions, complete, now),
        ...(isNew && { completionTime: now.toISOString(), version: versionOf(job) }),
      };
    });
    return complete.status === 'True' && job !== undefined;
  }
}

function snapshotVolume({ metadata: { name }, spec: { cluster, storage = '1Gi' } }: Backup) {
  return {
    metadata: { name: name!, labels: { [clusterLabel]: cluster } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  } as const;
}

/** The Job. It asks the leader: other members may be behind, and without a quorum all of them. */
function saveJob({ metadata, spec }: Backup, observed: ObservedChildren, context: BackupContext) {
  const name = metadata.name!;
  if (observed.get(Job, name)) return { metadata: { name } };
  const { cluster } = context;
  const { leader, version } = cluster?.status ?? {};
  if (!cluster || !leader || !isConditionTrue(cluster.status?.conditions, 'Quorum'))
    return undefined;
  return snapshotJob({
    name,
    // That of the spec may not exist.
    image: imageOf(cluster, version),
    script: saveScript,
    env: saveEnvironment(cluster, ordinalOf(leader), spec.credentials?.secretName),
    volumes: { backup: { claim: name, path: '/backup' } },
    secretName: cluster.spec.tls?.secretName,
  });
}

function saveEnvironment(cluster: Cluster, leader: number, secret: string | undefined): EnvVar[] {
  const certificates = '--ca-certificate=/conf-tls/ca.pem --certificate=/conf-tls/tls.pem';
  return [
    { name: 'SNAPSHOT_URL', value: `${adminURL(cluster, leader)}/snapshot?streaming=true` },
    ...(cluster.spec.tls ? [{ name: 'TLS_FLAGS', value: certificates }] : []),
    ...(secret === undefined
      ? [{ name: 'AUTHORIZATION', value: 'ip' }]
      : [
          { name: 'DIGEST', valueFrom: { secretKeyRef: { name: secret, key: 'digest' } } },
          { name: 'AUTHORIZATION', value: 'digest $(DIGEST)' },
        ]),
  ];
}

/** The version of a Job that took a snapshot. */
function versionOf(job: DeepReadonly<Job> | undefined): string | undefined {
  return job?.spec?.template.spec?.containers[0]?.image?.split(':').at(-1);
}

function completeness(
  { spec, status }: Backup,
  cluster: Cluster | undefined,
  { job, isReady }: { job: DeepReadonly<Job> | undefined; isReady: boolean },
): ConditionUpdate {
  const type = 'Complete';
  if (status?.completionTime !== undefined || (isReady && job))
    return { type, status: 'True', reason: 'SnapshotTaken', message: '' };
  const waiting = (reason: string, message: string) =>
    ({ type, status: 'False', reason, message }) as const;
  const failed = findCondition(job?.status?.conditions, 'Failed');
  if (failed?.status === 'True') return waiting('SnapshotFailed', failed.message ?? '');
  if (job) return waiting('InProgress', 'the Job is running');
  return cluster
    ? waiting('WaitingForQuorum', `ZookeeperCluster ${spec.cluster} has no quorum`)
    : waiting('WaitingForCluster', `ZookeeperCluster ${spec.cluster} does not exist`);
}

/**
 * Creates the controller and adds it to the manager.
 * @param now see the constructor of ZookeeperBackupReconciler. The clock of the manager by default.
 */
export function setupZookeeperBackupController(manager: Manager, now = manager.now): void {
  manager.cache.addIndex(ZookeeperBackup, 'cluster', ({ spec }) => [spec.cluster]);
  const reconciler = new ZookeeperBackupReconciler(manager, now);
  const controller = new ControllerBuilder(manager).named('zookeeperbackup');
  controller.for(ZookeeperBackup, { predicates: [generationChanged()] });
  for (const kind of reconciler.kinds) controller.owns(kind);
  controller.watches(ZookeeperCluster, async ({ metadata: { name, namespace } }) => {
    const { items } = await manager.client.list(ZookeeperBackup, {
      namespace,
      index: { cluster: name! },
    });
    return items.map(keyOf);
  });
  controller.complete(reconciler);
}
