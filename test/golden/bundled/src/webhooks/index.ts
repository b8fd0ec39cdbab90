import type { Manager } from 'ots-runtime';
// +ots:scaffold:imports

const webhooks: ((manager: Manager) => void)[] = [
  // +ots:scaffold:webhooks
];

/** Adds every webhook of this operator to its manager. `ots create webhook` adds to the list above. */
export function setupWebhooks(manager: Manager): void {
  for (const setup of webhooks) setup(manager);
}
