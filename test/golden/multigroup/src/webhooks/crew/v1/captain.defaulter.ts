// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { type Defaulter, type Manager, WebhookBuilder } from 'ots-runtime';
import { Captain } from '../../../api/crew/v1/captain.ts';

/**
 * CaptainDefaulter sets fields that the author of a Captain left out, before it is validated and stored. A value can
 * depend on other fields. A default that is always the same belongs in the type (`@default`).
 *
 * @webhook path=/default-captains
 */
export class CaptainDefaulter implements Defaulter<Captain> {
  default(resource: Captain): void {
    resource.metadata.labels ??= {};
    resource.metadata.labels['app.kubernetes.io/managed-by'] ??= 'multigroup';
  }
}

/** Adds the webhook to the manager. */
export function setupCrewCaptainV1Defaulter(manager: Manager): void {
  new WebhookBuilder(manager, Captain)
    .withDefaulter(new CaptainDefaulter(), { path: '/default-captains' })
    .complete();
}
