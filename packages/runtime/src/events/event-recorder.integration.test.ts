import { ConfigMap, Event as CoreEvent, Namespace } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { ClusterRole } from 'ots-kubernetes/rbac/v1';
import { beforeEach, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import type { Client } from '../client/client.ts';
import { systemClock } from 'ots-apimachinery/clock/clock';
import { createLogger } from '../logging/create-logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { waitFor } from '../waiting/wait-for.ts';
import type { EventDetails } from './event-details.ts';
import type { DropReason } from './event-observer.ts';
import { EventRecorder } from './event-recorder.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.
const scaled: EventDetails = { type: 'Normal', reason: 'Scaled', action: 'Scale', note: 'to 3' };

const server = apiServerFixture();
let client: Client;

beforeEach(() => {
  ({ client } = server);
});

function setUp(): { recorder: EventRecorder; dropped: DropReason[]; lines: string[] } {
  const dropped: DropReason[] = [];
  const lines: string[] = [];
  const recorder = new EventRecorder({
    client,
    clock: systemClock,
    logger: createLogger({ stream: { write: (line: string) => lines.push(line) } }),
    controller: 'example.com/thing',
    observer: { written: () => {}, dropped: (reason) => dropped.push(reason) },
  });
  return { recorder, dropped, lines };
}

const configMap = (name: string, namespace = 'default'): Promise<ConfigMap> =>
  client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });

/** A real control plane writes events about its own Services in `default`, too. */
const eventsAbout = async (name: string): Promise<readonly DeepReadonly<Event>[]> =>
  (await client.list(Event, { namespace: 'default' })).items.filter(
    ({ regarding }) => regarding?.name === name,
  );

test('kubectl describe finds the event and its count', async () => {
  const { recorder, dropped } = setUp();
  const object = await configMap('described');
  const details: EventDetails = { ...scaled, type: 'Warning', note: 'é'.repeat(2000), related: object };
  recorder.event(object, details);
  await waitFor(async () => (await eventsAbout('described')).length > 0);
  recorder.event(object, details);
  recorder.event(object, details);
  await recorder.stop(new AbortController().signal);
  expect(dropped).toEqual([]);
  // What kubectl asks for.
  const { items } = await client.list(CoreEvent, {
    namespace: 'default',
    fieldSelector: `involvedObject.name=described,involvedObject.uid=${object.metadata.uid}`,
  });
  expect(items).toEqual([
    expect.objectContaining({
      type: 'Warning',
      reason: 'Scaled',
      action: 'Scale',
      series: { count: 3, lastObservedTime: expect.any(String) },
      reportingComponent: 'example.com/thing',
      reportingInstance: expect.stringContaining('example.com/thing-'),
      involvedObject: expect.objectContaining({ kind: 'ConfigMap', uid: object.metadata.uid }),
      related: expect.objectContaining({ kind: 'ConfigMap', name: 'described' }),
    }),
  ]);
});

test('the event of a cluster-scoped object with a strange name is in the default namespace', async () => {
  const { recorder, dropped, lines } = setUp();
  const role = await client.create(ClusterRole, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'example.com:thing' },
    rules: [],
  });
  recorder.event(role, scaled);
  await recorder.stop(new AbortController().signal);
  expect(lines).toEqual([]);
  expect(dropped).toEqual([]);
  expect(await eventsAbout('example.com:thing')).toHaveLength(1);
});

test('a series whose event is gone starts over', async () => {
  const { recorder, dropped } = setUp();
  const object = await configMap('expired');
  recorder.event(object, scaled);
  await waitFor(async () => (await eventsAbout('expired')).length === 1);
  const [event] = await eventsAbout('expired');
  await client.delete(Event, { namespace: 'default', name: event!.metadata.name! });
  recorder.event(object, scaled);
  await recorder.stop(new AbortController().signal);
  expect((await eventsAbout('expired')).map(({ series }) => series?.count)).toEqual([2]);
  expect(dropped).toEqual([]);
});

test('events of a terminating or missing namespace are dropped silently', async () => {
  const { recorder, dropped, lines } = setUp();
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going' } });
  const object = await client.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'held', namespace: 'going', finalizers: ['example.com/hold'] },
  });
  await client.delete(Namespace, { name: 'going' });
  recorder.event(object, scaled);
  recorder.event({ ...object, metadata: { ...object.metadata, namespace: 'never' } }, scaled);
  await recorder.stop(new AbortController().signal);
  expect(dropped).toEqual(['refused', 'refused']);
  expect(lines).toEqual([]);
  const release = { metadata: { finalizers: [] } };
  await client.patch(ConfigMap, { name: 'held', namespace: 'going' }, release);
});
