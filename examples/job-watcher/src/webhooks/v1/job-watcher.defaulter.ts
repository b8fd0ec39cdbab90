// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { type Defaulter, type Manager, WebhookBuilder } from 'ots-runtime';
import { JobWatcher } from '../../api/v1/job-watcher.ts';

/**
 * JobWatcherDefaulter limits a JobWatcher to its own namespace unless it names others.
 *
 * @webhook
 */
export class JobWatcherDefaulter implements Defaulter<JobWatcher> {
  default({ metadata, spec }: JobWatcher): void {
    spec.namespacePatterns ??= [metadata.namespace!];
  }
}

/** Adds the webhook to the manager. */
export function setupJobWatcherV1Defaulter(manager: Manager): void {
  new WebhookBuilder(manager, JobWatcher).withDefaulter(new JobWatcherDefaulter()).complete();
}
