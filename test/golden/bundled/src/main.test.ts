import { Deployment } from 'ots-kubernetes/apps/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';

test('the Deployment of the operator becomes available', async () => {
  // `workloads` adds a simulated node: pods start without their images and are ready at once.
  // With a virtual clock, time passes only in `advance`.
  await using environment = await TestEnvironment.start({ clock: 'virtual', workloads: true });
  await using client = new Client(environment.config);

  await environment.install('config/manager');
  await environment.advance('1m');

  const key = { namespace: 'system', name: 'controller-manager' };
  const deployment = await client.get(Deployment, key);
  expect(deployment?.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Available', status: 'True' }),
  );
});
