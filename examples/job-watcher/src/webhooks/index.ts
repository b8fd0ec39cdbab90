// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import type { Manager } from 'ots-runtime';
import { setupJobWatcherV1Defaulter } from './v1/job-watcher.defaulter.ts';
import { setupJobWatcherV1Validator } from './v1/job-watcher.validator.ts';
// +ots:scaffold:imports

const webhooks: ((manager: Manager) => void)[] = [
  setupJobWatcherV1Defaulter,
  setupJobWatcherV1Validator,
  // +ots:scaffold:webhooks
];

/** Adds every webhook of this operator to its manager. `ots create webhook` adds to the list above. */
export function setupWebhooks(manager: Manager): void {
  for (const setup of webhooks) setup(manager);
}
