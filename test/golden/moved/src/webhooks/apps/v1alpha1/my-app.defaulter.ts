// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import { type Defaulter, type Manager, WebhookBuilder } from 'ots-runtime';
import { MyApp } from '../../../api/apps/v1alpha1/my-app.ts';

/**
 * MyAppDefaulter sets fields that the author of a MyApp left out, before it is validated and stored. A value can
 * depend on other fields. A default that is always the same belongs in the type (`@default`).
 *
 * @webhook
 */
export class MyAppDefaulter implements Defaulter<MyApp> {
  default(resource: MyApp): void {
    resource.metadata.labels ??= {};
    resource.metadata.labels['app.kubernetes.io/managed-by'] ??= 'moved';
  }
}

/** Adds the webhook to the manager. */
export function setupMyAppV1alpha1Defaulter(manager: Manager): void {
  new WebhookBuilder(manager, MyApp).withDefaulter(new MyAppDefaulter()).complete();
}
