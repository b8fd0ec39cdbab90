// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { InvalidError, type Manager, type Validator, WebhookBuilder } from 'ots-runtime';
import { Pod } from 'ots-kubernetes/core/v1';

/**
 * PodValidator refuses an invalid Pod. It can compare several fields, the old object and
 * the cluster.
 *
 * With the policy Fail, the API server would refuse every Pod while the operator is down.
 *
 * @webhook failurePolicy=Ignore
 */
export class PodValidator implements Validator<Pod> {
  validateCreate(resource: Pod): void {
    refuseReservedName(resource);
  }

  validateUpdate(_old: Pod, resource: Pod): void {
    refuseReservedName(resource);
  }

  /** Called only if the tag above says `verbs=create;update;delete`. */
  validateDelete(): void {}
}

/** An example rule: replace it with your own. */
function refuseReservedName(resource: Pod): void {
  if (resource.metadata.name !== 'multigroup') return;
  throw new InvalidError([
    {
      field: 'metadata.name',
      reason: 'FieldValueInvalid',
      message: '"multigroup" is reserved for the operator',
    },
  ]);
}

/** Adds the webhook to the manager. */
export function setupCorePodV1Validator(manager: Manager): void {
  new WebhookBuilder(manager, Pod).withValidator(new PodValidator()).complete();
}
