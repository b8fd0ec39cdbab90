// Copyright 2026 The myapp-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import {
  type ApplyConfiguration,
  type Client,
  type Condition,
  ControllerBuilder,
  type DeepReadonly,
  type Manager,
  type Reconciler,
  type Request,
  controllerReference,
  findCondition,
  generationChanged,
  setCondition,
} from 'ots-runtime';
import { MyApp } from '../api/v1alpha1/my-app.ts';

/**
 * MyAppReconciler keeps a Deployment for each MyApp and reports its pods.
 *
 * @rbac groups=apps.example.com resources=myapps verbs=list;watch
 * @rbac groups=apps.example.com resources=myapps/status verbs=patch
 * @rbac groups=apps.example.com resources=myapps/finalizers verbs=update
 * @rbac groups=apps resources=deployments verbs=list;watch;create;patch
 */
export class MyAppReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;

  /** @param now returns the current time; tests pass a fixed one. */
  constructor(client: Client, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#now = now;
  }

  async reconcile(request: Request): Promise<void> {
    const app = await this.#client.get(MyApp, request);
    // The garbage collector deletes the Deployment.
    if (!app || app.metadata.deletionTimestamp) return;

    const deployment = await this.#client.apply(Deployment, deploymentOf(app), { force: true });
    const observedGeneration = app.metadata.generation;
    const ready = { type: 'Ready', observedGeneration, ...readiness(deployment) };
    await this.#client.status.patch(MyApp, app, (draft) => {
      draft.status = {
        observedGeneration,
        conditions: setCondition(draft.status?.conditions, ready, this.#now()),
        replicas: deployment.status?.replicas ?? 0,
        readyReplicas: deployment.status?.readyReplicas ?? 0,
        selector: selectorOf(app),
      };
    });
  }
}

function labelsOf({ metadata }: DeepReadonly<MyApp>): Record<string, string> {
  return { 'app.kubernetes.io/name': 'my-app', 'app.kubernetes.io/instance': metadata.name! };
}

function selectorOf(app: DeepReadonly<MyApp>): string {
  const labels = Object.entries(labelsOf(app));
  return labels.map(([key, value]) => `${key}=${value}`).join(',');
}

function deploymentOf(app: DeepReadonly<MyApp>): ApplyConfiguration<Deployment> {
  const { metadata, spec } = app;
  const labels = labelsOf(app);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: metadata.name!,
      namespace: metadata.namespace!,
      labels,
      ownerReferences: [controllerReference(app)],
    },
    spec: {
      replicas: spec.replicas!,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'my-app', image: spec.image }] },
      },
    },
  };
}

/** Whether all pods run what the Deployment says, and why not otherwise. */
function readiness({
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
    return { status: 'True', reason: 'AllPodsReady', message };
  const progressing = findCondition(status.conditions, 'Progressing');
  if (isCurrent && progressing?.status === 'False')
    return { status: 'False', reason: 'Stuck', message: progressing.message ?? message };
  return { status: 'False', reason: 'RollingOut', message };
}

/**
 * Creates the controller and adds it to the manager.
 * @param now see the constructor of MyAppReconciler. The clock of the manager by default.
 */
export function setupMyAppController(manager: Manager, now = manager.now): void {
  new ControllerBuilder(manager)
    .named('myapp')
    // Not after its own status updates: those would start it again.
    .for(MyApp, { predicates: [generationChanged()] })
    .owns(Deployment)
    .complete(new MyAppReconciler(manager.client, now));
}
