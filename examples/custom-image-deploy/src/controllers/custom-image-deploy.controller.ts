// Copyright 2026 The custom-image-deploy authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import { Service } from 'ots-kubernetes/core/v1';
import { Ingress } from 'ots-kubernetes/networking/v1';
import {
  type Client,
  type Condition,
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  type Manager,
  type Reconciler,
  type Request,
  type Result,
  dropFinalizer,
  ensureFinalizer,
  findCondition,
  generationChanged,
  hasFinalizer,
  isControlledBy,
  keyOf,
  setCondition,
} from 'ots-runtime';
import { CustomImageDeploy, type CustomImageDeployStatus } from '../api/v1/custom-image-deploy.ts';
import { deploymentFor, hostOf, ingressFor, serviceFor } from '../children/children-for.ts';

type Resource = DeepReadonly<CustomImageDeploy>;

/** Keeps a CustomImageDeploy until its Ingress, and with it the load balancer, is gone. */
export const finalizer = 'customimagedeploy.example.com/ingress';
/** `force` takes back what others have changed. */
const options = { fieldOwner: 'custom-image-deploy', force: true };

/**
 * CustomImageDeployReconciler gives each CustomImageDeploy a Deployment, a Service and an Ingress of its name, and keeps them as they
 * should be. The garbage collector deletes them with their owner.
 *
 * @rbac groups=customimagedeploy.example.com resources=customimagedeploys verbs=list;watch;patch
 * @rbac groups=customimagedeploy.example.com resources=customimagedeploys/status verbs=patch
 * @rbac groups=customimagedeploy.example.com resources=customimagedeploys/finalizers verbs=update
 * @rbac groups=apps resources=deployments verbs=list;watch;create;patch
 * @rbac groups="" resources=services verbs=list;watch;create;patch
 * @rbac groups=networking.k8s.io resources=ingresses verbs=list;watch;create;patch;delete
 */
export class CustomImageDeployReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;

  /** @param now returns the current time; tests pass a fixed one. */
  constructor(client: Client, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#now = now;
  }

  async reconcile(request: Request): Promise<Result | void> {
    const found = await this.#client.get(CustomImageDeploy, request);
    if (!found) return;
    if (found.metadata.deletionTimestamp) {
      await this.#cleanUp(found);
      return;
    }
    const resource = await ensureFinalizer(this.#client, CustomImageDeploy, found, finalizer);
    const taken = await this.#takenName(resource);
    if (taken !== undefined) {
      const message = `another ${taken} has the name "${request.name}"`;
      await this.#report(resource, { status: 'False', reason: 'NameTaken', message });
      return { requeueAfter: '30s' }; // the controller does not hear of objects of others
    }
    const deployment = await this.#client.apply(Deployment, deploymentFor(resource), options);
    await this.#client.apply(Service, serviceFor(resource), options);
    const ingress = await this.#client.apply(Ingress, ingressFor(resource), options);
    await this.#report(resource, readyOf(deployment), {
      readyReplicas: deployment.status?.readyReplicas ?? 0,
      host: hostOf(resource),
      address: addressOf(ingress),
    });
  }

  /** First deletes the Ingress, so that no request arrives at pods that stop. */
  async #cleanUp(resource: Resource): Promise<void> {
    if (!hasFinalizer(resource, finalizer)) return;
    const ingress = await this.#client.get(Ingress, keyOf(resource));
    const isOrphaned = hasFinalizer(resource, 'orphan'); // kubectl delete --cascade=orphan
    if (ingress && isControlledBy(ingress, resource) && !isOrphaned) {
      // Not one that the garbage collector has orphaned since the cache received it.
      if (!ingress.metadata.deletionTimestamp)
        await this.#client.delete(Ingress, ingress, { optimisticLock: true });
      return; // until the event that it is gone
    }
    await dropFinalizer(this.#client, CustomImageDeploy, resource, finalizer);
  }

  /** The kind of an object that has the name of a child, but does not belong to the owner. */
  async #takenName(resource: Resource): Promise<string | undefined> {
    for (const kind of [Deployment, Service, Ingress]) {
      const object = await this.#client.get<KubernetesObject>(kind, keyOf(resource));
      if (object && !isControlledBy(object, resource)) return kind.kind;
    }
    return undefined;
  }

  async #report(
    resource: Resource,
    ready: Pick<Condition, 'status' | 'reason' | 'message'>,
    children: Omit<CustomImageDeployStatus, 'conditions'> = {},
  ): Promise<void> {
    const observedGeneration = resource.metadata.generation;
    const condition = { type: 'Ready', observedGeneration, ...ready };
    await this.#client.status.patch(CustomImageDeploy, resource, (draft) => {
      const conditions = setCondition(draft.status?.conditions, condition, this.#now());
      draft.status = { ...children, observedGeneration, conditions };
    });
  }
}

/** Whether all pods run what the Deployment says. */
function readyOf({
  metadata,
  spec,
  status = {},
}: DeepReadonly<Deployment>): Pick<Condition, 'status' | 'reason' | 'message'> {
  const size = spec?.replicas ?? 1;
  const isCurrent = status.observedGeneration === metadata.generation;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = isCurrent ? status : {};
  // At least: the pods that are not available may be those with the new image.
  const running = Math.max(0, updatedReplicas + availableReplicas - replicas);
  const message = `${running} of ${size} pods run the image`;
  if (isCurrent && running === size && replicas === size)
    return { status: 'True', reason: 'Available', message };
  const progressing = findCondition(status.conditions, 'Progressing');
  if (isCurrent && progressing?.status === 'False')
    return { status: 'False', reason: 'Stuck', message: progressing.message ?? message };
  return { status: 'False', reason: 'RollingOut', message };
}

function addressOf({ status }: DeepReadonly<Ingress>): string | undefined {
  const [entry] = status?.loadBalancer?.ingress ?? [];
  return entry?.hostname ?? entry?.ip;
}

/**
 * Creates the controller and adds it to the manager.
 * @param now see the constructor of CustomImageDeployReconciler. The clock of the manager by default.
 */
export function setupCustomImageDeployController(manager: Manager, now = manager.now): void {
  new ControllerBuilder(manager)
    .named('customimagedeploy')
    // Not after its own status updates: those would start it again forever.
    .for(CustomImageDeploy, { predicates: [generationChanged()] })
    .owns(Deployment)
    .owns(Service)
    .owns(Ingress)
    .complete(new CustomImageDeployReconciler(manager.client, now));
}
