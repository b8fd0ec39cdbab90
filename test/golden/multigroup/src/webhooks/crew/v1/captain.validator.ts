// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { InvalidError, type Manager, type Validator, WebhookBuilder } from 'ots-runtime';
import { Captain } from '../../../api/crew/v1/captain.ts';

/**
 * CaptainValidator refuses an invalid Captain. It can compare several fields, the old object and
 * the cluster. A rule about one field belongs in the type (`@minimum`, `@pattern`).
 *
 * @webhook
 */
export class CaptainValidator implements Validator<Captain> {
  validateCreate(resource: Captain): void {
    refuseReservedName(resource);
  }

  validateUpdate(_old: Captain, resource: Captain): void {
    refuseReservedName(resource);
  }

  /** Called only if the tag above says `verbs=create;update;delete`. */
  validateDelete(): void {}
}

/** An example rule: replace it with your own. */
function refuseReservedName(resource: Captain): void {
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
export function setupCrewCaptainV1Validator(manager: Manager): void {
  new WebhookBuilder(manager, Captain).withValidator(new CaptainValidator()).complete();
}
