// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
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
import { EtcdBackup } from '../api/v1/etcd-backup.ts';
import { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { imageOf, memberURL, ordinalOf } from '../cluster/names.ts';
import { snapshotJob } from '../cluster/snapshot-job.ts';

type Backup = DeepReadonly<EtcdBackup>;

/** What a reconcile has read before its workflow runs. */
interface BackupContext extends ReconcileContext {
  /** Undefined if it does not exist. */
  readonly cluster: DeepReadonly<EtcdCluster> | undefined;
}

/**
 * EtcdBackupReconciler takes the snapshot of each EtcdBackup, once.
 *
 * @rbac groups=etcd.example.com resources=etcdbackups verbs=list;watch
 * @rbac groups=etcd.example.com resources=etcdbackups/status verbs=patch
 * @rbac groups=etcd.example.com resources=etcdclusters verbs=list;watch
 * @rbac groups=batch resources=jobs verbs=get;list;watch;create;patch;delete
 * @rbac groups=core resources=persistentvolumeclaims verbs=get;list;watch;create;patch
 */
export class EtcdBackupReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;
  readonly #workflow;

  /** @param now returns the current time; tests pass a fixed one. */
  constructor(manager: Manager, now = manager.now) {
    this.#client = manager.client;
    this.#now = now;
    this.#workflow = new Workflow(manager, {
      primary: EtcdBackup,
      dependents: {
        volume: { kind: PersistentVolumeClaim, desired: snapshotVolume },
        snapshot: {
          kind: Job,
          dependsOn: ['volume'],
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
    const backup = await this.#client.get(EtcdBackup, request);
    if (!backup || backup.metadata.deletionTimestamp) return undefined;
    const { namespace } = request;
    const cluster = await this.#client.get(EtcdCluster, { name: backup.spec.cluster, namespace });
    const backupContext: BackupContext = { ...context, cluster };
    const { isReady } = await this.#workflow.reconcile(backup, backupContext, (result) =>
      this.#report(backup, cluster, result),
    );
    // The status says that it is complete, so the Job can go.
    return isReady && backup.status?.completionTime === undefined && cluster
      ? { requeueAfter: '1s' }
      : undefined;
  }

  async #report(
    backup: Backup,
    cluster: DeepReadonly<EtcdCluster> | undefined,
    result: WorkflowResult,
  ): Promise<void> {
    const { generation, name } = backup.metadata;
    const now = this.#now();
    const job = await this.#client.get(Job, keyOf(backup));
    const complete = {
      ...completeness(backup, cluster, { job, isReady: result.isReady }),
      observedGeneration: generation,
    };
    await this.#client.status.patch(EtcdBackup, backup, (draft) => {
      draft.status = {
        ...draft.status,
        observedGeneration: generation!,
        volume: name!,
        conditions: setCondition(draft.status?.conditions, complete, now),
      };
      if (complete.status !== 'True') return;
      draft.status.completionTime ??= now.toISOString();
      draft.status.version ??= cluster?.status?.version ?? cluster?.spec.version ?? '';
    });
  }
}

function snapshotVolume({ metadata: { name }, spec: { storage = '1Gi' } }: Backup) {
  return {
    metadata: { name: name! },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  } as const;
}

/**
 * The Job. It asks the leader: a snapshot is that of one member, and without a quorum it might be an old one. Once it has started it stays
 * the same, whatever becomes of the cluster.
 */
function saveJob({ metadata }: Backup, observed: ObservedChildren, { cluster }: BackupContext) {
  const name = metadata.name!;
  const [started] = observed.get(Job, name)?.spec?.template.spec?.containers ?? [];
  if (!cluster || !(started || isConditionTrue(cluster.status?.conditions, 'Quorum')))
    return undefined;
  const { tls } = cluster.spec;
  return snapshotJob({
    name,
    image: started?.image ?? imageOf(cluster),
    command: started?.command ?? saveCommand(cluster),
    volumes: { backup: { claim: name, path: '/backup' } },
    secretName: tls?.secretName,
  });
}

function saveCommand(cluster: DeepReadonly<EtcdCluster>): string[] {
  const leader = ordinalOf(cluster, cluster.status?.leader ?? '') ?? 0;
  const certificates = [
    '--cacert=/etc/etcd-tls/ca.crt',
    '--cert=/etc/etcd-tls/tls.crt',
    '--key=/etc/etcd-tls/tls.key',
  ];
  return [
    '/usr/local/bin/etcdctl',
    `--endpoints=${memberURL(cluster, leader, 2379)}`,
    ...(cluster.spec.tls ? certificates : []),
    'snapshot',
    'save',
    '/backup/snapshot.db',
  ];
}

function completeness(
  { spec, status }: Backup,
  cluster: DeepReadonly<EtcdCluster> | undefined,
  { job, isReady }: { job: DeepReadonly<Job> | undefined; isReady: boolean },
): ConditionUpdate {
  const type = 'Complete';
  if (status?.completionTime !== undefined || (isReady && job))
    return { type, status: 'True', reason: 'SnapshotTaken', message: '' };
  if (!cluster)
    return {
      type,
      status: 'False',
      reason: 'WaitingForCluster',
      message: `EtcdCluster ${spec.cluster} does not exist`,
    };
  const failed = findCondition(job?.status?.conditions, 'Failed');
  if (failed?.status === 'True')
    return { type, status: 'False', reason: 'SnapshotFailed', message: failed.message ?? '' };
  if (!job)
    return {
      type,
      status: 'False',
      reason: 'WaitingForQuorum',
      message: `EtcdCluster ${spec.cluster} has no quorum`,
    };
  return { type, status: 'False', reason: 'InProgress', message: 'the Job is running' };
}

/**
 * Creates the controller and adds it to the manager.
 * @param now see the constructor of EtcdBackupReconciler. The clock of the manager by default.
 */
export function setupEtcdBackupController(manager: Manager, now = manager.now): void {
  manager.cache.addIndex(EtcdBackup, 'cluster', ({ spec }) => [spec.cluster]);
  const reconciler = new EtcdBackupReconciler(manager, now);
  const controller = new ControllerBuilder(manager).named('etcdbackup');
  controller.for(EtcdBackup, { predicates: [generationChanged()] });
  for (const kind of reconciler.kinds) controller.owns(kind);
  controller.watches(EtcdCluster, async ({ metadata: { name, namespace } }) => {
    const { items } = await manager.client.list(EtcdBackup, {
      namespace,
      index: { cluster: name! },
    });
    return items.map(keyOf);
  });
  controller.complete(reconciler);
}
