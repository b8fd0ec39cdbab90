// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

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
import { EtcdBackup } from '../api/v1/etcd-backup.ts';
import { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { type ClusterContext, clusterDependents } from '../cluster/cluster-dependents.ts';
import { type StatusChange, clusterStatus, waitingStatus } from '../cluster/cluster-status.ts';
import { type ClusterView, viewOf, withMembers } from '../cluster/cluster-view.ts';
import { clusterLabel, memberName, memberURL } from '../cluster/names.ts';
import { type Step, nextStep } from '../cluster/next-step.ts';
import { prepareFirstMember, readCertificates } from '../cluster/preparations.ts';
import { type Transport, httpTransport } from '../etcd/transport.ts';

type Cluster = DeepReadonly<EtcdCluster>;

/** What the operator needs besides the manager. Tests pass their own. */
export interface EtcdOptions {
  /** Returns the current time. */
  readonly now?: () => Date;
  /** Sends requests to members. */
  readonly transport?: Transport;
}

/**
 * EtcdClusterReconciler moves the cluster toward the desired state of each EtcdCluster. It runs whenever one
 * changes and must work from any state: it acts on what it reads, not on what happened.
 *
 * @rbac groups=etcd.example.com resources=etcdclusters verbs=get;list;watch
 * @rbac groups=etcd.example.com resources=etcdclusters/status verbs=patch
 * @rbac groups=etcd.example.com resources=etcdbackups verbs=list;watch
 * @rbac groups=apps resources=statefulsets verbs=get;list;watch;create;patch
 * @rbac groups=batch resources=jobs verbs=get;list;watch;create;patch;delete
 * @rbac groups=policy resources=poddisruptionbudgets verbs=get;list;watch;create;patch
 * @rbac groups=core resources=services;configmaps verbs=get;list;watch;create;patch
 * @rbac groups=core resources=persistentvolumeclaims verbs=get;list;watch;create;delete
 * @rbac groups=core resources=pods verbs=list;watch;delete
 * @rbac groups=core resources=secrets verbs=get;list;watch
 * @rbac groups=events.k8s.io resources=events verbs=create;patch
 */
export class EtcdClusterReconciler implements Reconciler {
  readonly #manager: Manager;
  readonly #client: Client;
  readonly #events: EventRecorder;
  readonly #now: () => Date;
  readonly #transport: Transport;
  readonly #workflow;

  constructor(
    manager: Manager,
    { now = manager.now, transport = httpTransport }: EtcdOptions = {},
  ) {
    this.#manager = manager;
    this.#client = manager.client;
    this.#events = manager.eventRecorder('etcdcluster');
    this.#now = now;
    this.#transport = transport;
    this.#workflow = new Workflow(manager, {
      primary: EtcdCluster,
      dependents: clusterDependents,
    });
  }

  /** The kinds that belong to a cluster. */
  get kinds() {
    return this.#workflow.kinds;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const cached = await this.#client.get(EtcdCluster, request);
    if (!cached || cached.metadata.deletionTimestamp) return undefined;
    // Whether the cluster exists decides about its data, so a cache that is behind must not answer that.
    const cluster = cached.status?.clusterID
      ? cached
      : await this.#manager.apiReader.get(EtcdCluster, request);
    if (
      !cluster ||
      cluster.metadata.uid !== cached.metadata.uid ||
      cluster.metadata.deletionTimestamp
    )
      return undefined;

    const certificates = await readCertificates(cluster, this.#manager.apiReader);
    if (certificates && 'reason' in certificates) return this.#wait(cluster, certificates);
    if (!cluster.status?.clusterID) {
      const obstacle = await prepareFirstMember(cluster, this.#manager);
      if (obstacle) return this.#wait(cluster, obstacle);
    }
    const source = {
      client: this.#client,
      apiReader: this.#manager.apiReader,
      transport: this.#transport,
    };
    const { signal } = context;
    const seen = await viewOf(cluster, source, { credentials: certificates?.credentials, signal });
    const step = nextStep(cluster, seen);
    const view = step ? await this.#perform(cluster, seen, step) : seen;
    const clusterContext: ClusterContext = { ...context, view, certificates: certificates?.hash };
    let isReady = false;
    await this.#workflow.reconcile(cluster, clusterContext, async (result) => {
      const { status } = await this.#report(
        cluster,
        clusterStatus(cluster, view, result, this.#now()),
      );
      isReady = isConditionTrue(status?.conditions, 'Ready');
    });
    // Members change without an event.
    return { requeueAfter: step ? '1s' : isReady ? '30s' : '5s' };
  }

  async #wait(cluster: Cluster, obstacle: { reason: string; message: string }): Promise<Result> {
    await this.#report(cluster, waitingStatus(cluster, obstacle, this.#now()));
    return { requeueAfter: '1m' };
  }

  async #report(cluster: Cluster, change: StatusChange): Promise<Cluster> {
    const update = (draft: EtcdCluster) => {
      draft.status = change(draft.status ?? {});
    };
    // With the lock, the status of a cluster does not become that of another one that was made in the meantime under its name.
    return this.#client.status.patch(EtcdCluster, cluster, update, { optimisticLock: true });
  }

  async #perform(cluster: Cluster, view: ClusterView, step: Step): Promise<ClusterView> {
    switch (step.type) {
      case 'AddMember': {
        const list = await view.etcd!.addMember(memberURL(cluster, step.ordinal, 2380));
        this.#tell(cluster, step.type, `Added ${memberName(cluster, step.ordinal)}`);
        return withMembers(cluster, view, list);
      }
      case 'RemoveMember': {
        const list = await view.etcd!.removeMember(step.member.id);
        this.#tell(
          cluster,
          step.type,
          `Removed ${memberName(cluster, step.member.ordinal)} with the ID ${step.member.id}`,
        );
        return withMembers(cluster, view, list);
      }
      case 'DeleteVolume':
        this.#tell(
          cluster,
          step.type,
          `The data of ${step.volume.metadata.name} belongs to no member`,
        );
        await this.#delete(PersistentVolumeClaim, step.volume);
        if (step.pod) await this.#delete(Pod, step.pod);
        break;
      case 'RestartMember':
        this.#tell(cluster, step.type, `Restarting ${step.pod.metadata.name}`);
        await this.#delete(Pod, step.pod);
    }
    return view;
  }

  #tell(cluster: Cluster, reason: Step['type'], note: string): void {
    this.#events.event(cluster, { type: 'Normal', reason, action: reason, note });
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

/** Finds the clusters that use a Secret or a backup. */
const bySecret = 'secret';
const byBackup = 'backup';

/** Creates the controller and adds it to the manager. */
export function setupEtcdClusterController(manager: Manager, options?: EtcdOptions): void {
  const { cache, client } = manager;
  cache.add(Pod, { labelSelector: clusterLabel });
  cache.add(PersistentVolumeClaim, { labelSelector: clusterLabel });
  cache.addIndex(EtcdCluster, bySecret, ({ spec: { tls } }) => (tls ? [tls.secretName] : []));
  cache.addIndex(EtcdCluster, byBackup, ({ spec: { restore } }) =>
    restore ? [restore.backup] : [],
  );
  const usersOf =
    (index: string) =>
    async ({ metadata: { name, namespace } }: DeepReadonly<KubernetesObject>) => {
      const { items } = await client.list(EtcdCluster, { namespace, index: { [index]: name! } });
      return items.map(keyOf);
    };
  const reconciler = new EtcdClusterReconciler(manager, options);
  const controller = new ControllerBuilder(manager).named('etcdcluster');
  controller.for(EtcdCluster, { predicates: [generationChanged()] });
  for (const kind of reconciler.kinds) controller.owns(kind);
  controller.watches(Pod, (pod) => requestsFromLabel(pod, clusterLabel));
  controller.watches(PersistentVolumeClaim, (claim) => requestsFromLabel(claim, clusterLabel));
  controller.watchesMetadata(Secret, usersOf(bySecret));
  controller.watches(EtcdBackup, usersOf(byBackup));
  controller.complete(reconciler);
}
