// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import type { Job } from 'ots-kubernetes/batch/v1';
import { type DeepReadonly, findCondition, isConditionTrue } from 'ots-runtime';
import type { JobWatcherSpec } from '../api/v1/job-watcher.ts';

/** Why and when a Job expires. */
export interface Expiration {
  readonly reason: 'completed' | 'failed' | 'pending';
  readonly at: Date;
}

/** What a Job says about itself. A new one has started, but none of its pods has ended; its pods say whether it is pending. */
export type JobState = 'completed' | 'failed' | 'new' | 'running' | 'suspended';

export function stateOf({ status }: DeepReadonly<Job>): JobState {
  if (isConditionTrue(status?.conditions, 'Complete')) return 'completed';
  if (isConditionTrue(status?.conditions, 'Failed')) return 'failed';
  if (!status?.startTime) return 'suspended';
  return (status.succeeded ?? 0) + (status.failed ?? 0) === 0 ? 'new' : 'running';
}

/**
 * Returns when a Job expires if nothing happens to it, or undefined when it does not.
 * @param podsWait whether no pod of the Job has started.
 */
export function expirationOf(
  job: DeepReadonly<Job>,
  ttls: DeepReadonly<Pick<JobWatcherSpec, 'completedTTL' | 'failedTTL' | 'pendingTTL'>>,
  podsWait: boolean,
): Expiration | undefined {
  const { status, metadata } = job;
  if (metadata.deletionTimestamp) return undefined;
  switch (stateOf(job)) {
    case 'completed':
      return expiration('completed', status?.completionTime, ttls.completedTTL);
    case 'failed': {
      const failed = findCondition(status?.conditions, 'Failed');
      return expiration('failed', failed?.lastTransitionTime, ttls.failedTTL);
    }
    case 'new':
      return podsWait ? expiration('pending', status?.startTime, ttls.pendingTTL) : undefined;
    default:
      return undefined;
  }
}

function expiration(
  reason: Expiration['reason'],
  since: string | undefined,
  seconds: number | undefined,
): Expiration | undefined {
  if (since === undefined || seconds === undefined) return undefined;
  return { reason, at: new Date(Date.parse(since) + seconds * 1000) };
}
