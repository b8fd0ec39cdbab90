// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import type { Manager } from 'ots-runtime';
import { setupMyAppV1alpha1Defaulter } from './apps/v1alpha1/my-app.defaulter.ts';
// +ots:scaffold:imports

const webhooks: ((manager: Manager) => void)[] = [
  setupMyAppV1alpha1Defaulter,
  // +ots:scaffold:webhooks
];

/** Adds every webhook of this operator to its manager. `ots create webhook` adds to the list above. */
export function setupWebhooks(manager: Manager): void {
  for (const setup of webhooks) setup(manager);
}
