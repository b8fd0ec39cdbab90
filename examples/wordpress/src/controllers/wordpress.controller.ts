// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment, StatefulSet } from 'ots-kubernetes/apps/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { PersistentVolumeClaim, Service } from 'ots-kubernetes/core/v1';
import {
  type Client,
  type Condition,
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  type Manager,
  type Plan,
  type PlanStatus,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
  setCondition,
} from 'ots-runtime';
import { type Plans, Wordpress } from '../api/v1alpha1/wordpress.ts';
import { Cluster } from './cluster.ts';
import { type DuePlan, duePlan } from './due-plan.ts';
import type { Site } from './objects.ts';
import { plansIn } from './plans.ts';

/**
 * WordpressReconciler keeps the objects of a site, and runs the plan that it needs.
 *
 * @rbac groups=apps.example.com resources=wordpresses verbs=get;list;watch
 * @rbac groups=apps.example.com resources=wordpresses/status verbs=patch
 * @rbac groups=apps resources=deployments;statefulsets verbs=list;watch;create;patch
 * @rbac groups=core resources=persistentvolumeclaims;services verbs=list;watch;create;patch
 * @rbac groups=batch resources=jobs verbs=list;watch;create;patch;delete
 */
export class WordpressReconciler implements Reconciler {
  readonly #client: Client;
  readonly #apiReader: Client;
  readonly #cluster: Cluster;
  readonly #plans: Record<keyof Plans, Plan<Wordpress>>;

  constructor({ client, apiReader }: Pick<Manager, 'client' | 'apiReader'>) {
    this.#client = client;
    this.#apiReader = apiReader;
    this.#cluster = new Cluster(client);
    this.#plans = plansIn(this.#cluster);
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    // Not from the cache, which may be late: a step of an earlier state, such as a restore, would run twice.
    const site = await this.#apiReader.get(Wordpress, request);
    if (!site || site.metadata.deletionTimestamp) return;
    await this.#cluster.keep(site);
    const due = duePlan(site);
    if (!due) return this.#report(site);
    await this.#cluster.forgetRunsExcept(site, `${due.name}-${due.revision}`);
    let latest = site;
    try {
      return await this.#plans[due.name].run(site, context, {
        status: site.status?.plans?.[due.name],
        revision: due.revision,
        save: async (saved) => {
          latest = await this.#change(latest, (draft) => {
            draft.status = {
              ...draft.status,
              plans: { ...draft.status?.plans, [due.name]: saved },
            };
          });
        },
      });
    } finally {
      await this.#report(latest, due);
    }
  }

  /** With the lock, the status of a site does not become that of another one that was made in the meantime under its name. */
  async #change(site: Site, change: (draft: Wordpress) => void): Promise<Site> {
    return this.#client.status.patch(Wordpress, site, change, { optimisticLock: true });
  }

  /** @param due the plan that has just run. */
  async #report(site: Site, due?: DuePlan): Promise<void> {
    const { generation: observedGeneration } = site.metadata;
    const progress = due && site.status?.plans?.[due.name];
    const isReady = await this.#cluster.isReady(site);
    await this.#change(site, (draft) => {
      const before = draft.status?.conditions;
      const withReady = setCondition(before, {
        type: 'Ready',
        status: isReady ? 'True' : 'False',
        reason: isReady ? 'Served' : 'NotServed',
        message: '',
        observedGeneration,
      });
      const progressing = { type: 'Progressing', ...progressOf(due, progress), observedGeneration };
      draft.status = {
        ...draft.status,
        observedGeneration,
        conditions: setCondition(withReady, progressing),
      };
    });
  }
}

function progressOf(
  due: DuePlan | undefined,
  progress: DeepReadonly<PlanStatus> | undefined,
): Pick<Condition, 'status' | 'reason' | 'message'> {
  if (!due || progress?.phase === 'Complete')
    return { status: 'False', reason: 'Complete', message: '' };
  const steps =
    progress?.steps.filter(({ state }) => state === 'Failed' || state === 'Running') ?? [];
  const message = steps.map(
    (each) => `${each.name} is ${each.state}${each.message ? `: ${each.message}` : ''}`,
  );
  const reason = due.name[0]!.toUpperCase() + due.name.slice(1);
  return {
    status: progress?.phase === 'Failed' ? 'False' : 'True',
    reason: progress?.phase === 'Failed' ? `${reason}Failed` : reason,
    message: message.join(', '),
  };
}

/** Creates the controller and adds it to the manager. */
export function setupWordpressController(manager: Manager): void {
  // It also reconciles after its own status updates: they say which plan is next.
  const builder = new ControllerBuilder(manager).named('wordpress').for(Wordpress);
  for (const kind of [Deployment, StatefulSet, Job, PersistentVolumeClaim, Service])
    builder.owns<KubernetesObject>(kind);
  builder.complete(new WordpressReconciler(manager));
}
