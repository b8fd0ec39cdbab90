// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Manager } from 'ots-runtime';
import { setupZookeeperClusterController } from './zookeeper-cluster.controller.ts';
import { setupZookeeperBackupController } from './zookeeper-backup.controller.ts';
// +ots:scaffold:imports

const controllers: ((manager: Manager) => void)[] = [
  setupZookeeperClusterController,
  setupZookeeperBackupController,
  // +ots:scaffold:controllers
];

/** Adds every controller of this operator to its manager. `ots create api` adds to the list above. */
export function setupControllers(manager: Manager): void {
  for (const setup of controllers) setup(manager);
}
