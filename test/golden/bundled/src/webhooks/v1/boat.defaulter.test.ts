import { Client, createLogger, Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test, vi } from 'vitest';
import { Boat } from '../../api/v1/boat.ts';
import { setupWebhooks } from '../index.ts';
import { BoatDefaulter } from './boat.defaulter.ts';

function resource(name: string, labels?: Record<string, string>): Boat {
  return {
    apiVersion: 'sea.example.com/v1',
    kind: 'Boat',
    metadata: { namespace: 'default', name, ...(labels && { labels }) },
    spec: { message: 'Hello' },
  };
}

const notCalled =
  'The API server does not call BoatDefaulter: ' +
  'correct its @webhook tag and run `npm run manifests`';

test('a new Boat has the label of its manager', async () => {
  const defaulter = vi.spyOn(BoatDefaulter.prototype, 'default');
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  // `npm run manifests` writes this file from the @webhook tags.
  await environment.install('config/webhook/manifests.yaml');
  await using client = new Client(environment.config);
  // Without the option `webhooks`, the manager serves them to the API server of the test.
  await using manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'error', format: 'pretty' }),
  });
  setupWebhooks(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` rejects, too.
  await manager.ready;

  // It is valid without BoatDefaulter, which must keep it valid.
  const labeled = await client.create(Boat, resource('labeled'));
  expect(defaulter, notCalled).toHaveBeenCalled();
  expect(labeled.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'bundled' });

  const others = { 'app.kubernetes.io/managed-by': 'another-manager' };
  const kept = await client.create(Boat, resource('kept', others));
  expect(kept.metadata.labels).toEqual(others);
  await manager.stop();
  await running;
});
