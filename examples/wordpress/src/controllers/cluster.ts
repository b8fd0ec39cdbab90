// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment, StatefulSet } from 'ots-kubernetes/apps/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { PersistentVolumeClaim, Service } from 'ots-kubernetes/core/v1';
import {
  type ApplyConfiguration,
  type Client,
  type DeepReadonly,
  type StepProgress,
  TerminalError,
  findCondition,
  isConditionTrue,
  keyOf,
} from 'ots-runtime';
import { Wordpress } from '../api/v1alpha1/wordpress.ts';
import { isStopped } from './due-plan.ts';
import {
  type Site,
  databaseFor,
  nameFor,
  runLabel,
  serviceFor,
  volumeFor,
  webFor,
} from './objects.ts';

const options = { fieldOwner: 'wordpress-operator', force: true };

/** The step continues when one of its objects changes. */
const waiting: StepProgress = { requeueAfter: undefined };

/** What a site has in the cluster. */
export class Cluster {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Creates and repairs everything but Jobs, in the state that it should have between two steps. */
  async keep(site: Site): Promise<void> {
    for (const part of ['uploads', 'backups'] as const) {
      await this.#client.apply(PersistentVolumeClaim, volumeFor(site, part), options);
    }
    for (const part of ['database', 'web'] as const) {
      await this.#client.apply(Service, serviceFor(site, part), options);
    }
    await this.#client.apply(StatefulSet, databaseFor(site), options);
    if (site.status?.version === undefined) return;
    await this.#client.apply(
      Deployment,
      webFor(site, site.status.version, isStopped(site.status)),
      options,
    );
  }

  async waitForDatabase(site: Site): Promise<StepProgress | undefined> {
    const database = await this.#client.get(StatefulSet, this.#key(site, 'database'));
    return database?.status?.readyReplicas === 1 ? undefined : waiting;
  }

  /** Starts the web servers, or replaces those of another version. */
  async startWeb(site: Site, version: string): Promise<StepProgress | undefined> {
    // First, so the next reconcile keeps what this one begins.
    await this.#client.status.patch(Wordpress, keyOf(site), { status: { version } });
    const web = await this.#client.apply(Deployment, webFor(site, version, false), options);
    return isRolledOut(web) ? undefined : waiting;
  }

  async stopWeb(site: Site): Promise<StepProgress | undefined> {
    const web = await this.#client.apply(
      Deployment,
      webFor(site, site.status!.version!, true),
      options,
    );
    return isRolledOut(web) ? undefined : waiting;
  }

  /** Whether the web servers serve the site. */
  async isReady(site: Site): Promise<boolean> {
    const web = await this.#client.get(Deployment, this.#key(site, 'web'));
    return web !== undefined && isRolledOut(web) && web.spec?.replicas !== 0;
  }

  /** Runs a Job. A failed one does not get better: the plan runs again for another version or another id. */
  async complete(desired: ApplyConfiguration<Job>): Promise<StepProgress | undefined> {
    const { metadata, status } = await this.#client.apply(Job, desired, options);
    if (isConditionTrue(status?.conditions, 'Complete')) return undefined;
    const failed = findCondition(status?.conditions, 'Failed');
    if (failed?.status !== 'True') return waiting;
    throw new TerminalError(`Job ${metadata.name} failed: ${failed.message}`);
  }

  /** Deletes the Jobs of earlier runs: one that comes again must not find them. */
  async forgetRunsExcept(site: Site, run: string): Promise<void> {
    const labelSelector = `app.kubernetes.io/instance=${site.metadata.name},${runLabel},${runLabel}!=${run}`;
    const { namespace } = site.metadata;
    const { items } = await this.#client.list(Job, { namespace, labelSelector });
    for (const job of items) {
      if (job.metadata.deletionTimestamp) continue;
      await this.#client.delete(Job, job, { propagationPolicy: 'Background' });
    }
  }

  #key(site: Site, part: string): { name: string; namespace: string | undefined } {
    return { name: nameFor(site, part), namespace: site.metadata.namespace };
  }
}

function isRolledOut({ metadata, spec, status }: DeepReadonly<Deployment>): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  return (
    status?.observedGeneration === metadata.generation &&
    [replicas, updatedReplicas, availableReplicas].every((count) => count === spec?.replicas)
  );
}
