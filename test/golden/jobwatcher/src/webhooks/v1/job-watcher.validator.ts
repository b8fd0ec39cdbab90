// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { InvalidError, type Manager, type Validator, WebhookBuilder } from 'ots-runtime';
import { JobWatcher } from '../../api/v1/job-watcher.ts';

/**
 * JobWatcherValidator refuses a JobWatcher that makes no sense. It may look at several fields, at the old object, or at
 * the cluster; a rule about one field belongs into the type (`@minimum`, `@pattern`).
 *
 * @webhook {mutating: false, path: /validate-batch-my-github-com-v1-jobwatcher, name: vjobwatcher-v1.batch.my.github.com, groups: ['batch.my.github.com'], versions: [v1], resources: [jobwatchers], verbs: [CREATE, UPDATE], failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1]}
 */
export class JobWatcherValidator implements Validator<JobWatcher> {
  validateCreate(resource: JobWatcher): void {
    refuseReservedName(resource);
  }

  validateUpdate(_old: JobWatcher, resource: JobWatcher): void {
    refuseReservedName(resource);
  }

  /** Called only when DELETE is among the verbs above. */
  validateDelete(): void {}
}

/** An example of a rule: replace it with your own. */
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
