// Copyright 2026 Somebody Else
// SPDX-License-Identifier: MIT

import {
  createLogger,
  exitWithError,
  loadConfig,
  Manager,
  parseFlags,
  shutdownSignal,
} from 'ots-runtime';
import { setupControllers } from './controllers/index.ts';
import { setupWebhooks } from './webhooks/index.ts';

// The lease that replicas compete for; config/rbac/leader-election-role.yaml allows this one and no other.
const leaderElectionId = '121fd273.example.com';

/** Runs the operator until it is told to stop. `node dist/main.js --help` lists its flags. */
async function main(): Promise<void> {
  const { help, kubeconfig, ...flags } = parseFlags({ leaderElectionId });
  if (help !== undefined) {
    process.stdout.write(help);
    return;
  }
  // First of all, so that a pod that is stopped while it starts ends at once.
  const signal = shutdownSignal();
  // Before all that may fail: the last line of a program is written as this one writes its lines.
  const logger = createLogger(flags.logger);
  const manager = await Manager.create({
    ...flags.manager,
    connection: await loadConfig({ kubeconfig }),
    // The name by which the API server knows the operator; it owns the fields that the operator applies.
    userAgent: 'moved',
    logger,
  });
  setupControllers(manager);
  setupWebhooks(manager);
  await manager.start(signal);
}

await main().catch(exitWithError);
// As in Go, the end of main ends the program, whatever timers or connections are left.
process.exit();
