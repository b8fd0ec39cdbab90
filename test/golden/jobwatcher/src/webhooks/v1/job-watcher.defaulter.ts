// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { type Defaulter, type Manager, WebhookBuilder } from 'ots-runtime';
import { JobWatcher } from '../../api/v1/job-watcher.ts';

/**
 * JobWatcherDefaulter sets fields that the author of a JobWatcher left out, before it is validated and stored. A value can
 * depend on other fields. A default that is always the same belongs in the type (`@default`).
 *
 * @webhook
 */
export class JobWatcherDefaulter implements Defaulter<JobWatcher> {
  default(resource: JobWatcher): void {
    resource.metadata.labels ??= {};
    resource.metadata.labels['app.kubernetes.io/managed-by'] ??= 'jobwatcher';
  }
}

/** Adds the webhook to the manager. */
export function setupJobWatcherV1Defaulter(manager: Manager): void {
  new WebhookBuilder(manager, JobWatcher).withDefaulter(new JobWatcherDefaulter()).complete();
}
