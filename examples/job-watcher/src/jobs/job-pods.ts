// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import type { Job } from 'ots-kubernetes/batch/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import {
  type Cache,
  type Client,
  type DeepReadonly,
  type Predicate,
  type Projected,
  type Request,
  projectionOf,
} from 'ots-runtime';

const jobName = 'batch.kubernetes.io/job-name';
const jobUid = 'batch.kubernetes.io/controller-uid';

/** A pod of a Job, of which only the phase is in memory. */
export type JobPod = Projected<Pod, 'status.phase'>;
export const JobPod = projectionOf(Pod, ['status.phase']);

/** Adds the pods of all Jobs to the cache. */
export function cacheJobPods(cache: Cache): void {
  cache.add(JobPod, { labelSelector: jobName });
  cache.addIndex(JobPod, jobUid, ({ metadata }) => [metadata.labels?.[jobUid] ?? '']);
}

/** Whether no pod of the Job has started. */
export async function podsWait(client: Client, { metadata }: DeepReadonly<Job>): Promise<boolean> {
  const index = { [jobUid]: metadata.uid ?? '' };
  const { items } = await client.list(JobPod, { namespace: metadata.namespace, index });
  return items.every((pod) => isPending(pod));
}

/** The name of the Job of a pod. */
export function jobOf({ metadata }: DeepReadonly<JobPod>): Request {
  return { namespace: metadata.namespace, name: metadata.labels?.[jobName] ?? '' };
}

/** Passes the start of a pod: its Job is no longer pending. */
export const podStarts: Predicate<JobPod> = {
  create: () => false,
  update: (before, pod) => isPending(before) && !isPending(pod),
  delete: () => false,
};

function isPending({ status }: DeepReadonly<JobPod>): boolean {
  return status?.phase === undefined || status.phase === 'Pending';
}
