// Copyright 2026 The memcached-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import {
  type ApplyConfiguration,
  type Client,
  type ConditionUpdate,
  ControllerBuilder,
  type DeepReadonly,
  type EventRecorder,
  type Manager,
  type ReconcileContext,
  type Reconciler,
  type Request,
  controllerReference,
  generationChanged,
  isConditionTrue,
  requestsFromLabel,
  setCondition,
} from 'ots-runtime';
import { Memcached } from '../api/v1alpha1/memcached.ts';

/** The label of the pods that says whose they are. */
const instanceLabel = 'app.kubernetes.io/instance';

/**
 * MemcachedReconciler keeps a Deployment for each Memcached and reports its pods.
 *
 * @rbac groups=cache.example.com resources=memcacheds verbs=list;watch
 * @rbac groups=cache.example.com resources=memcacheds/status verbs=patch
 * @rbac groups=cache.example.com resources=memcacheds/finalizers verbs=update
 * @rbac groups=apps resources=deployments verbs=list;watch;create;patch
 * @rbac groups="" resources=pods verbs=list;watch
 * @rbac groups=events.k8s.io resources=events verbs=create;patch
 */
export class MemcachedReconciler implements Reconciler {
  readonly #client: Client;
  readonly #events: EventRecorder;
  readonly #now: () => Date;

  /** @param now returns the current time; tests pass a fixed one. */
  constructor(client: Client, events: EventRecorder, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#events = events;
    this.#now = now;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<void> {
    const memcached = await this.#client.get(Memcached, request);
    // The garbage collector deletes the Deployment.
    if (!memcached || memcached.metadata.deletionTimestamp) return;

    const deployment = await this.#client.apply(Deployment, deploymentOf(memcached), {
      force: true,
    });
    const { items: pods } = await this.#client.list(Pod, {
      namespace: request.namespace,
      labelSelector: `${instanceLabel}=${request.name}`,
    });
    const available = availability(memcached, deployment);
    await this.#report(memcached, pods.map(({ metadata }) => metadata.name!).toSorted(), available);
    context.logger.debug({ available: available.status }, 'reconciled');
  }

  async #report(
    memcached: DeepReadonly<Memcached>,
    nodes: string[],
    available: ConditionUpdate,
  ): Promise<void> {
    await this.#client.status.patch(Memcached, memcached, (draft) => {
      const conditions = setCondition(draft.status?.conditions, available, this.#now());
      draft.status = { observedGeneration: memcached.metadata.generation, conditions, nodes };
    });
    const isAvailable = available.status === 'True';
    if (isAvailable === isConditionTrue(memcached.status?.conditions, 'Available')) return;
    this.#events.event(memcached, {
      type: isAvailable ? 'Normal' : 'Warning',
      reason: available.reason,
      action: 'Reconcile',
      note: available.message ?? '',
    });
  }
}

function deploymentOf({
  metadata,
  spec,
  ...memcached
}: DeepReadonly<Memcached>): ApplyConfiguration<Deployment> {
  const labels = { 'app.kubernetes.io/name': 'memcached', [instanceLabel]: metadata.name! };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: metadata.name!,
      namespace: metadata.namespace!,
      labels,
      ownerReferences: [controllerReference({ ...memcached, metadata })],
    },
    spec: {
      replicas: spec.size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'memcached',
              image: spec.image!,
              command: [
                'memcached',
                `--port=${spec.containerPort}`,
                '--memory-limit=64',
                '--verbose',
              ],
              ports: [{ name: 'memcached', containerPort: spec.containerPort! }],
              securityContext: {
                runAsUser: 1001,
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}

/** Whether all pods of the newest generation are available. */
function availability(
  memcached: DeepReadonly<Memcached>,
  { metadata, status = {} }: DeepReadonly<Deployment>,
): ConditionUpdate {
  const { size } = memcached.spec;
  const isCurrent = status.observedGeneration === metadata.generation;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = isCurrent ? status : {};
  // At least: the pods that are not available may be those of the newest generation.
  const count = Math.max(0, updatedReplicas + availableReplicas - replicas);
  const isAvailable = count === size && replicas === size;
  return {
    type: 'Available',
    status: isAvailable ? 'True' : 'False',
    reason: isAvailable ? 'AllPodsAvailable' : 'WaitingForPods',
    message: `${count} of ${size} pods are available`,
    observedGeneration: memcached.metadata.generation,
  };
}

/**
 * Creates the controller and adds it to the manager.
 * @param now see the constructor of MemcachedReconciler. The clock of the manager by default.
 */
export function setupMemcachedController(manager: Manager, now = manager.now): void {
  const events = manager.eventRecorder('memcached-controller');
  const controller = new ControllerBuilder(manager).named('memcached');
  // Not after its own status updates: those would start it again.
  controller.for(Memcached, { predicates: [generationChanged()] });
  controller.owns(Deployment);
  controller.watches(Pod, (pod) => requestsFromLabel(pod, instanceLabel));
  controller.complete(new MemcachedReconciler(manager.client, events, now));
}
