import { Event, Pod } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { expect, onTestFinished, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';

/** Lets two pods run and crash for ten minutes. @returns what they became, and the reasons of all Events */
async function tenMinutes(storesEvents: boolean): Promise<{ pods: unknown[]; reasons: string[] }> {
  const environment = await TestEnvironment.start({
    clock: 'virtual',
    storesEvents,
    workloads: { images: { 'crash:*': { exitCode: 1 } } },
  });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  for (const image of ['web:1', 'crash:1'])
    await client.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: image.replace(':', '-'), namespace: 'default' },
      spec: { containers: [{ name: 'main', image }] },
    });
  await client.create(Event, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'own', namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web-1' },
    reason: 'Own',
  });
  await environment.advance('10m');
  const { items } = await client.list(Pod, { namespace: 'default' });
  const pods = items.map(({ metadata, status }) => {
    const [container] = status?.containerStatuses ?? [];
    return { name: metadata.name, ready: container?.ready, restarts: container?.restartCount };
  });
  const events = await client.list(Event, { namespace: 'default' });
  return { pods, reasons: events.items.map(({ reason = '' }) => reason).toSorted() };
}

test('without Events of components, pods become what they become, and Events of others are stored', async () => {
  const [without, stored] = await Promise.all([tenMinutes(false), tenMinutes(true)]);
  expect(without.pods).toEqual(stored.pods);
  expect(without.pods).toEqual([
    { name: 'crash-1', ready: false, restarts: expect.any(Number) },
    { name: 'web-1', ready: true, restarts: 0 },
  ]);
  expect(without.reasons).toEqual(['Own']);
  expect(stored.reasons).toEqual(
    expect.arrayContaining(['BackOff', 'Own', 'Pulled', 'Scheduled', 'Started']),
  );
});
