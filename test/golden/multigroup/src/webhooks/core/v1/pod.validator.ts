// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { InvalidError, type Manager, type Validator, WebhookBuilder } from 'ots-runtime';
import { Pod } from 'ots-kubernetes/core/v1';

/**
 * PodValidator refuses a Pod that makes no sense. It may look at several fields, at the old object, or at
 * the cluster.
 *
 * @webhook {mutating: false, path: /validate--v1-pod, name: vpod-v1.core.example.com, groups: [''], versions: [v1], resources: [pods], verbs: [CREATE, UPDATE], failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1]}
 */
export class PodValidator implements Validator<Pod> {
  validateCreate(resource: Pod): void {
    refuseReservedName(resource);
  }

  validateUpdate(_old: Pod, resource: Pod): void {
    refuseReservedName(resource);
  }

  /** Called only when DELETE is among the verbs above. */
  validateDelete(): void {}
}

/** An example of a rule: replace it with your own. */
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
