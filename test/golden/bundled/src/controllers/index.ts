import type { Manager } from 'ots-runtime';
import { setupBoatController } from './boat.controller.ts';
// +ots:scaffold:imports

const controllers: ((manager: Manager) => void)[] = [
  setupBoatController,
  // +ots:scaffold:controllers
];

/** Adds every controller of this operator to its manager. `ots create api` adds to the list above. */
export function setupControllers(manager: Manager): void {
  for (const setup of controllers) setup(manager);
}
