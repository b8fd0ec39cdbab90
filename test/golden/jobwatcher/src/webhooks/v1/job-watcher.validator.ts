// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { InvalidError, type Manager, type Validator, WebhookBuilder } from 'ots-runtime';
import { JobWatcher } from '../../api/v1/job-watcher.ts';

/**
 * JobWatcherValidator refuses an invalid JobWatcher. It can compare several fields, the old object and
 * the cluster. A rule about one field belongs in the type (`@minimum`, `@pattern`).
 *
 * @webhook
 */
export class JobWatcherValidator implements Validator<JobWatcher> {
  validateCreate(resource: JobWatcher): void {
    refuseReservedName(resource);
  }

  validateUpdate(_old: JobWatcher, resource: JobWatcher): void {
    refuseReservedName(resource);
  }

  /** Called only if the tag above says `verbs=create;update;delete`. */
  validateDelete(): void {}
}

/** An example rule: replace it with your own. */
function refuseReservedName(resource: JobWatcher): void {
  if (resource.metadata.name !== 'jobwatcher') return;
  throw new InvalidError([
    {
      field: 'metadata.name',
      reason: 'FieldValueInvalid',
      message: '"jobwatcher" is reserved for the operator',
    },
  ]);
}

/** Adds the webhook to the manager. */
export function setupJobWatcherV1Validator(manager: Manager): void {
  new WebhookBuilder(manager, JobWatcher).withValidator(new JobWatcherValidator()).complete();
}
