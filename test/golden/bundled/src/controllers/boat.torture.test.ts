import { projectSetup, torture } from 'ots-testing';
import { expect, test } from 'vitest';
import { setupWebhooks } from '../webhooks/index.ts';
import { setupControllers } from './index.ts';

// It crashes the operator, delays what it sees and refuses its requests, at each of its writes.
// `ots torture` searches longer and explains what it finds: node_modules/ots/docs/torture.md.
test('every Boat is reconciled, whatever goes wrong', async () => {
  const setup = await projectSetup({
    sample: 'config/samples/sea_v1_boat.yaml',
    kind: 'Boat',
    setup: [setupControllers, setupWebhooks],
  });
  const { findings } = await torture(setup, { budget: '10s' });
  expect(findings).toEqual([]);
}, 120_000);
