import type { Manager } from 'ots-runtime';
import { setupMemcachedController } from './memcached.controller.ts';
import { setupMemcachedBackupController } from './memcached-backup.controller.ts';
// +ots:scaffold:imports

const controllers: ((manager: Manager) => void)[] = [
  setupMemcachedController,
  setupMemcachedBackupController,
  // +ots:scaffold:controllers
];

/** Adds every controller of this operator to its manager. `ots create api` adds to the list above. */
export function setupControllers(manager: Manager): void {
  for (const setup of controllers) setup(manager);
}
