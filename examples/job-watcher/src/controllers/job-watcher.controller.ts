// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import {
  type Client,
  type Condition,
  ControllerBuilder,
  type DeepReadonly,
  type Manager,
  type Predicate,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
  generationChanged,
  isNotFound,
  keyOf,
  setCondition,
} from 'ots-runtime';
import { PatternError } from 'ots-runtime/pattern';
import { JobWatcher, type JobWatcherStatus } from '../api/v1/job-watcher.ts';
import { type Expiration, expirationOf, stateOf } from '../jobs/expiration.ts';
import { cacheJobPods, jobOf, JobPod, podStarts, podsWait } from '../jobs/job-pods.ts';
import { selectorOf } from '../jobs/job-selector.ts';

interface ExpiringJob extends Expiration {
  readonly job: DeepReadonly<Job>;
}

/**
 * JobWatcherReconciler deletes the Jobs whose TTL is over. A JobWatcher checks when a TTL ends, when its spec changes, and every
 * `frequency` seconds. Events of Jobs and pods only move the time of the next check.
 *
 * @rbac groups=batch.my.github.com resources=jobwatchers verbs=list;watch
 * @rbac groups=batch.my.github.com resources=jobwatchers/status verbs=patch
 * @rbac groups=batch resources=jobs verbs=list;watch;delete
 * @rbac groups="" resources=pods verbs=list;watch
 */
export class JobWatcherReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;

  /** @param now returns the current time; tests pass a fixed one. */
  constructor(client: Client, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#now = now;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const watcher = await this.#client.get(JobWatcher, request);
    if (!watcher || watcher.metadata.deletionTimestamp) return;
    const started = this.#now();
    let jobs: ExpiringJob[];
    try {
      jobs = await this.#expiringJobs(watcher);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      // Possible while the webhook is not served. A change of the spec starts the next check.
      await this.#report(watcher, {
        status: 'False',
        reason: 'InvalidPattern',
        message: error.message,
      });
      return;
    }
    const due = nextCheck(watcher, jobs);
    if (due > started.getTime()) return { requeueAfter: due - started.getTime() };

    const expired = jobs.filter(({ at }) => at <= started);
    const failures = await this.#deleteAll(expired, context);
    const times = { lastStarted: timeOf(started), lastFinished: timeOf(this.#now()) };
    const reported = await this.#report(watcher, checked, times);
    if (failures.length > 0)
      throw new AggregateError(failures, 'cannot delete', { cause: failures[0] });
    const later = jobs.filter(({ at }) => at > started);
    return { requeueAfter: nextCheck(reported, later) - started.getTime() };
  }

  /** The Jobs that a JobWatcher watches and that expire if nothing happens to them. */
  async #expiringJobs(watcher: DeepReadonly<JobWatcher>): Promise<ExpiringJob[]> {
    const isWatched = selectorOf(watcher);
    const { items } = await this.#client.list(Job);
    const expiring: ExpiringJob[] = [];
    for (const job of items.filter((each) => isWatched(keyOf(each)))) {
      const expiration = expirationOf(job, watcher.spec, await podsWait(this.#client, job));
      if (expiration) expiring.push({ ...expiration, job });
    }
    return expiring;
  }

  /** Deletes Jobs and their pods. One that cannot be deleted does not keep the others. */
  async #deleteAll(jobs: readonly ExpiringJob[], context: ReconcileContext): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const { job, reason } of jobs) {
      try {
        await this.#client.delete(Job, job, {
          // The API server keeps the pods of a Job by default.
          propagationPolicy: 'Background',
          // Not a Job that has changed since the cache received it.
          optimisticLock: true,
        });
        context.logger.info({ job: keyOf(job), reason }, 'deleted job');
      } catch (error) {
        if (!isNotFound(error)) failures.push(error);
      }
    }
    return failures;
  }

  async #report(
    watcher: DeepReadonly<JobWatcher>,
    ready: Pick<Condition, 'status' | 'reason' | 'message'>,
    times?: Pick<JobWatcherStatus, 'lastStarted' | 'lastFinished'>,
  ): Promise<DeepReadonly<JobWatcher>> {
    const observedGeneration = watcher.metadata.generation;
    const condition = { type: 'Ready', observedGeneration, ...ready };
    return this.#client.status.patch(JobWatcher, watcher, (draft) => {
      const conditions = setCondition(draft.status?.conditions, condition, this.#now());
      draft.status = { ...draft.status, observedGeneration, conditions, ...times };
    });
  }
}

const checked = {
  status: 'True',
  reason: 'Checked',
  message: 'Jobs are deleted when their TTL ends',
} as const;

/** When a JobWatcher checks next, in milliseconds since the epoch. */
function nextCheck(
  { metadata, spec, status }: DeepReadonly<JobWatcher>,
  jobs: readonly ExpiringJob[],
): number {
  if (status?.lastStarted === undefined || status.observedGeneration !== metadata.generation)
    return 0;
  const periodic = Date.parse(status.lastStarted) + (spec.frequency ?? 60) * 1000;
  return jobs.reduce((next, { at }) => Math.min(next, at.getTime()), periodic);
}

/** A time as Kubernetes writes it, in whole seconds. */
function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Passes new Jobs, and changes that matter for when they expire. */
const stateChanges: Predicate<Job> = {
  update: (before, job) =>
    stateOf(before) !== stateOf(job) || before.status?.startTime !== job.status?.startTime,
  delete: () => false,
};

/**
 * Creates the controller and adds it to the manager.
 * @param now see the constructor of JobWatcherReconciler. The clock of the manager by default.
 */
export function setupJobWatcherController(manager: Manager, now = manager.now): void {
  const { client } = manager;
  cacheJobPods(manager.cache);
  new ControllerBuilder(manager)
    .named('jobwatcher')
    // Not after its own status updates: those would start it again forever.
    .for(JobWatcher, { predicates: [generationChanged()] })
    .watches(Job, async (job) => watchersOf(client, keyOf(job)), { predicates: [stateChanges] })
    .watches(JobPod, async (pod) => watchersOf(client, jobOf(pod)), { predicates: [podStarts] })
    .complete(new JobWatcherReconciler(client, now));
}

/** The JobWatchers that watch a Job. */
async function watchersOf(client: Client, job: Request): Promise<Request[]> {
  const { items } = await client.list(JobWatcher);
  return items.filter((watcher) => isWatchedBy(watcher, job)).map((watcher) => keyOf(watcher));
}

function isWatchedBy(watcher: DeepReadonly<JobWatcher>, job: Request): boolean {
  try {
    return selectorOf(watcher)(job);
  } catch (error) {
    if (error instanceof PatternError) return false; // its status says so
    throw error;
  }
}
