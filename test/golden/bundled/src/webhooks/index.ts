import type { Manager } from 'ots-runtime';
import { setupBoatV1Defaulter } from './v1/boat.defaulter.ts';
// +ots:scaffold:imports

const webhooks: ((manager: Manager) => void)[] = [
  setupBoatV1Defaulter,
  // +ots:scaffold:webhooks
];

/** Adds every webhook of this operator to its manager. `ots create webhook` adds to the list above. */
export function setupWebhooks(manager: Manager): void {
  for (const setup of webhooks) setup(manager);
}
