// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import { PersistentVolumeClaim, Pod, Secret } from 'ots-kubernetes/core/v1';
import {
  type Client,
  ControllerBuilder,
  type DeepReadonly,
  type EventRecorder,
  type Kind,
  type KubernetesObject,
  type Manager,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
  Workflow,
  generationChanged,
  isConditionTrue,
  isConflict,
  isNotFound,
  keyOf,
  requestsFromLabel,
} from 'ots-runtime';
import { ZookeeperBackup } from '../api/v1/zookeeper-backup.ts';
import { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { type ClusterContext, clusterDependents } from '../cluster/cluster-dependents.ts';
import { type StatusChange, clusterStatus, waitingStatus } from '../cluster/cluster-status.ts';
import { viewOf } from '../cluster/cluster-view.ts';
import { clusterLabel } from '../cluster/names.ts';
import { type Step, nextStep } from '../cluster/next-step.ts';
import { type Obstacle, prepareMembers } from '../cluster/preparations.ts';
import { type Connect, connectBySocket } from '../zookeeper/four-letter-words.ts';

type Cluster = DeepReadonly<ZookeeperCluster>;

/** What the operator needs besides the manager. Tests pass their own. */
export interface ZookeeperOptions {
  /** Returns the current time. */
  readonly now?: () => Date;
  /** Connects to members. */
  readonly connect?: Connect;
}

/**
 * ZookeeperClusterReconciler moves the cluster toward the desired state of each ZookeeperCluster. It runs whenever one
 * changes and must work from any state: it acts on what it reads, not on what happened.
 *
 * @rbac groups=zookeeper.example.com resources=zookeeperclusters verbs=get;list;watch
 * @rbac groups=zookeeper.example.com resources=zookeeperclusters/status verbs=patch
 * @rbac groups=zookeeper.example.com resources=zookeeperbackups verbs=list;watch
 * @rbac groups=apps resources=statefulsets verbs=get;list;watch;create;patch
 * @rbac groups=batch resources=jobs verbs=get;list;watch;create;patch;delete
 * @rbac groups=policy resources=poddisruptionbudgets verbs=get;list;watch;create;patch
 * @rbac groups=core resources=services;configmaps verbs=get;list;watch;create;patch
 * @rbac groups=core resources=persistentvolumeclaims verbs=get;list;watch;create;delete
 * @rbac groups=core resources=pods verbs=list;watch;delete
 * @rbac groups=core resources=secrets verbs=get;list;watch
 * @rbac groups=events.k8s.io resources=events verbs=create;patch
 */
export class ZookeeperClusterReconciler implements Reconciler {
  readonly #client: Client;
  readonly #apiReader: Client;
  readonly #events: EventRecorder;
  readonly #now: () => Date;
  readonly #connect: Connect;
  readonly #workflow;

  constructor(
    manager: Manager,
    { now = manager.now, connect = connectBySocket }: ZookeeperOptions = {},
  ) {
    this.#client = manager.client;
    this.#apiReader = manager.apiReader;
    this.#events = manager.eventRecorder('zookeepercluster');
    this.#now = now;
    this.#connect = connect;
    this.#workflow = new Workflow(manager, {
      primary: ZookeeperCluster,
      dependents: clusterDependents,
    });
  }

  /** The kinds that belong to a cluster. */
  get kinds() {
    return this.#workflow.kinds;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    // How many members there are is in the status. A cache that is behind could repeat a step.
    let cluster = await this.#apiReader.get(ZookeeperCluster, request);
    if (!cluster || cluster.metadata.deletionTimestamp) return undefined;
    const certificates = await this.#readCertificates(cluster);
    const obstacle =
      certificates === undefined
        ? missingCertificates(cluster)
        : await prepareMembers(cluster, { client: this.#client, apiReader: this.#apiReader });
    if (obstacle) return this.#wait(cluster, obstacle);

    const source = { client: this.#client, connect: this.#connect };
    const view = await viewOf(cluster, source, context.signal);
    const step = nextStep(cluster, view);
    if (step) cluster = await this.#perform(cluster, step);
    const ensemble = step?.type === 'Resize' ? step.ensemble : view.ensemble;
    const clusterContext: ClusterContext = { ...context, ensemble, certificates };
    let isReady = false;
    await this.#workflow.reconcile(cluster, clusterContext, async (result) => {
      const change = clusterStatus(cluster, { ...view, ensemble }, result, this.#now());
      const { status } = await this.#report(cluster, change);
      isReady = isConditionTrue(status?.conditions, 'Ready');
    });
    // Members change without an event.
    return { requeueAfter: step ? '1s' : isReady ? '30s' : '5s' };
  }

  async #wait(cluster: Cluster, obstacle: Obstacle): Promise<Result> {
    await this.#report(cluster, waitingStatus(cluster, obstacle, this.#now()));
    return { requeueAfter: '1m' };
  }

  async #report(cluster: Cluster, change: StatusChange): Promise<Cluster> {
    const update = (draft: ZookeeperCluster) => {
      draft.status = change(draft.status ?? {});
    };
    // With the lock, the status of a cluster does not become that of another one that was made in the meantime under its name.
    return this.#client.status.patch(ZookeeperCluster, cluster, update, { optimisticLock: true });
  }

  /** @returns what changes with the certificates, empty for a cluster without TLS; undefined if they are missing. */
  async #readCertificates({
    spec: { tls },
    metadata: { namespace },
  }: Cluster): Promise<string | undefined> {
    if (!tls) return '';
    const secret = await this.#apiReader.get(Secret, { name: tls.secretName, namespace });
    const { 'ca.pem': ca, 'tls.pem': own } = secret?.data ?? {};
    return ca && own ? createHash('sha256').update([ca, own].join()).digest('hex') : undefined;
  }

  /** @returns the cluster with its new status. */
  async #perform(cluster: Cluster, step: Step): Promise<Cluster> {
    const tell = (note: string) =>
      this.#events.event(cluster, { type: 'Normal', reason: step.type, action: step.type, note });
    switch (step.type) {
      case 'Resize':
        tell(`The configuration gets ${step.ensemble} members`);
        // First: an operator that is killed after that continues with it.
        return this.#report(cluster, (before) => ({ ...before, ensemble: step.ensemble }));
      case 'DeleteVolume':
        tell(`The data of ${step.volume.metadata.name} belongs to no member`);
        await this.#delete(PersistentVolumeClaim, step.volume);
        break;
      case 'RestartMember':
        tell(`Restarting ${step.pod.metadata.name}`);
        await this.#delete(Pod, step.pod);
    }
    return cluster;
  }

  /** Deletes exactly this object. */
  async #delete<T extends KubernetesObject>(kind: Kind<T>, object: DeepReadonly<T>): Promise<void> {
    try {
      await this.#client.delete(kind, object);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

function missingCertificates({ spec: { tls } }: Cluster): Obstacle {
  const message = `Secret ${tls?.secretName} does not exist, or lacks ca.pem or tls.pem`;
  return { reason: 'WaitingForSecret', message };
}

/** Finds the clusters that use a Secret or a backup. */
const bySecret = 'secret';
const byBackup = 'backup';

/** Creates the controller and adds it to the manager. */
export function setupZookeeperClusterController(
  manager: Manager,
  options?: ZookeeperOptions,
): void {
  const { cache, client } = manager;
  cache.add(Pod, { labelSelector: clusterLabel });
  cache.add(PersistentVolumeClaim, { labelSelector: clusterLabel });
  cache.addIndex(ZookeeperCluster, bySecret, ({ spec: { tls } }) => (tls ? [tls.secretName] : []));
  cache.addIndex(ZookeeperCluster, byBackup, ({ spec: { restore } }) =>
    restore ? [restore.backup] : [],
  );
  const usersOf =
    (index: string) =>
    async ({ metadata: { name, namespace } }: DeepReadonly<KubernetesObject>) => {
      const { items } = await client.list(ZookeeperCluster, {
        namespace,
        index: { [index]: name! },
      });
      return items.map(keyOf);
    };
  const reconciler = new ZookeeperClusterReconciler(manager, options);
  const controller = new ControllerBuilder(manager).named('zookeepercluster');
  controller.for(ZookeeperCluster, { predicates: [generationChanged()] });
  for (const kind of reconciler.kinds) controller.owns(kind);
  controller.watches(Pod, (pod) => requestsFromLabel(pod, clusterLabel));
  controller.watches(PersistentVolumeClaim, (claim) => requestsFromLabel(claim, clusterLabel));
  controller.watchesMetadata(Secret, usersOf(bySecret));
  controller.watches(ZookeeperBackup, usersOf(byBackup));
  controller.complete(reconciler);
}
