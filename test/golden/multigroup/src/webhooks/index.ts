// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import type { Manager } from 'ots-runtime';
import { setupCrewCaptainV1Defaulter } from './crew/v1/captain.defaulter.ts';
import { setupCrewCaptainV1Validator } from './crew/v1/captain.validator.ts';
import { setupCorePodV1Validator } from './core/v1/pod.validator.ts';
// +ots:scaffold:imports

const webhooks: ((manager: Manager) => void)[] = [
  setupCrewCaptainV1Defaulter,
  setupCrewCaptainV1Validator,
  setupCorePodV1Validator,
  // +ots:scaffold:webhooks
];

/** Adds every webhook of this operator to its manager. `ots create webhook` adds to the list above. */
export function setupWebhooks(manager: Manager): void {
  for (const setup of webhooks) setup(manager);
}
