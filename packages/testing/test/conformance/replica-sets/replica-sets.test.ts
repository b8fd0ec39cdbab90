import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { asRecorded } from '../../../../apiserver/test/support/recorded.ts';
import { mask } from '../../support/shown.ts';
import { Story } from '../../support/story.ts';

const watched = [{ group: 'apis/apps/v1', resource: 'replicasets' }];
const labels = { app: 'web' };
const template = (image = 'web:1') => ({
  metadata: { labels: { ...labels, tier: 'front' }, annotations: { note: 'of the template' } },
  spec: { containers: [{ name: 'web', image }], terminationGracePeriodSeconds: 0 },
});
const replicaSet = (replicas: number, spec: object = {}) => ({
  metadata: { name: 'web' },
  spec: { replicas, selector: { matchLabels: labels }, template: template(), ...spec },
});

onEachServer('ReplicaSets', { recordRequests: true, workloads: { nodes: 0 } }, (server) => {
  const begin = (namespace: string) => Story.begin(server, namespace, watched);

  test('a ReplicaSet creates, counts, replaces and deletes its pods', async () => {
    const story = await begin('life');
    await story.step('created', () => story.create('replicasets', replicaSet(3)));
    await story.step('one pod is ready', async () => story.ready((await story.pods()).slice(0, 1)));
    await story.step('all are ready', () => story.ready());
    await story.step('one fails', async () =>
      story.report((await story.pods())[0], 'Failed', { Ready: false }),
    );
    await story.step('one is deleted', async () => {
      const pods = await story.pods();
      const { metadata } = pods.find(({ status }) => status.phase === 'Running');
      await story.delete('pods', metadata.name, { group: 'api/v1' });
    });
    await story.step('scaled up to 5', () => story.patch('replicasets', 'web', { spec: { replicas: 5 } }));
    await story.step('scaled down to 2: unready pods go first', () =>
      story.patch('replicasets', 'web', { spec: { replicas: 2 } }),
    );
    await story.step('the template changes: pods stay', () =>
      story.patch('replicasets', 'web', { spec: { template: template('web:2') } }),
    );
    await story.step('scaled to 0', () => story.patch('replicasets', 'web', { spec: { replicas: 0 } }));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/life.yaml');
  });

  test('pods that match are adopted, and those that match no longer are released', async () => {
    const story = await begin('adoption');
    const pod = (name: string, podLabels: object, annotations = {}) =>
      story.create(
        'pods',
        { metadata: { name, labels: podLabels, annotations }, spec: template().spec },
        'api/v1',
      );
    await story.step('orphans', async () => {
      await pod('match', labels);
      await pod('other', { app: 'other' }, { 'controller.kubernetes.io/pod-deletion-cost': '-1' });
    });
    await story.step('a ReplicaSet adopts', () => story.create('replicasets', replicaSet(1)));
    await story.step('an orphan begins to match, and is one too many', () =>
      story.patch('pods', 'other', { metadata: { labels } }, 'api/v1'),
    );
    await story.step('a pod matches no longer', () =>
      story.patch('pods', 'match', { metadata: { labels: { app: 'free' } } }, 'api/v1'),
    );
    await story.step('deleted, and the pods stay', () =>
      story.delete('replicasets', 'web', { propagationPolicy: 'Orphan' }),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/adoption.yaml');
  });

  test('a quota that refuses pods becomes a condition, and goes with the quota', async () => {
    const story = await begin('quota');
    const quota = { metadata: { name: 'pods' }, spec: { hard: { pods: '2' } } };
    await story.create('resourcequotas', quota, 'api/v1');
    await story.patch(
      'resourcequotas',
      'pods/status',
      { status: { hard: { pods: '2' }, used: { pods: '2' } } },
      'api/v1',
    );
    const condition = async () => (await story.list('replicasets'))[0]?.status.conditions?.[0];
    await story.create('replicasets', replicaSet(3));
    await story.until(async () => (await condition())?.type === 'ReplicaFailure');
    const { type, status, reason, message } = await condition();
    await expect(asRecorded(mask({ type, status, reason, message }))).toMatchFileSnapshot(
      'recorded/quota.yaml',
    );
    await story.until(async () => {
      const events = await story.list('events', 'api/v1');
      return events.some(
        (event) => event.reason === 'FailedCreate' && event.message === `Error creating: ${message}`,
      );
    });
    await story.delete('resourcequotas', 'pods', { group: 'api/v1' });
    await story.until(async () => (await story.pods()).length === 3);
    await story.until(async () => (await condition()) === undefined);
  });

  test('a pod is available when it has been ready for minReadySeconds', async () => {
    const story = await begin('available');
    await story.step('created', () => story.create('replicasets', replicaSet(2, { minReadySeconds: 2 })));
    const available = async () => (await story.list('replicasets'))[0].status.availableReplicas ?? 0;
    const [first, second] = await story.pods();
    const startedAt = story.now().getTime();
    await story.report(first, 'Running', { Ready: true });
    await story.report(second, 'Running', { Ready: true }, new Date(story.now().getTime() - 60_000));
    await story.until(async () => (await available()) === 1);
    await story.until(async () => (await available()) === 2);
    expect(story.now().getTime() - startedAt).toBeGreaterThan(1000);
    await story.step('both are available', () => Promise.resolve());
    await expect(story.recorded()).toMatchFileSnapshot('recorded/available.yaml');
  });

  test('a pod that is being deleted is terminating until it is gone', async () => {
    const story = await begin('terminating');
    const held = template();
    Object.assign(held.metadata, { finalizers: ['example.com/hold'] });
    await story.step('created', () => story.create('replicasets', replicaSet(2, { template: held })));
    await story.step('one is deleted', async () => {
      const [{ metadata }] = await story.pods();
      await story.delete('pods', metadata.name, { group: 'api/v1' });
    });
    await story.step('it is gone', async () => {
      const pods = await story.list('pods', 'api/v1');
      const { metadata } = pods.find(({ metadata: { deletionTimestamp } }) => deletionTimestamp);
      await story.patch('pods', metadata.name, { metadata: { finalizers: null } }, 'api/v1');
    });
    await expect(story.recorded()).toMatchFileSnapshot('recorded/terminating.yaml');
  });

  test('events about many pods are combined, and stop', async () => {
    const story = await begin('many');
    await story.step('created', () => story.create('replicasets', replicaSet(40)));
    const events = await story.list('events', 'api/v1');
    const shown = events.map(({ message, count, reportingComponent, source }) => ({
      message: mask(message),
      count,
      reportingComponent,
      source,
    }));
    await expect(asRecorded(shown.toSorted((a, b) => a.count - b.count))).toMatchFileSnapshot(
      'recorded/many.yaml',
    );
  });

  /** Each has what makes it the next to be deleted, in this order. */
  const pods: Record<string, any> = {
    unassigned: { node: false },
    pending: { phase: 'Pending' },
    unready: { ready: false },
    'cheap-to-delete': { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-10' } },
    'ready-for-a-short-time': { readyFor: 10_000 },
    'restarted-often': { restarts: 3 },
    'dear-to-delete': { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '10' } },
  };

  test('pods are deleted in the order of what would be lost', async () => {
    const story = await begin('order');
    const paused = replicaSet(Object.keys(pods).length, {});
    for (const [name, { annotations, node }] of Object.entries(pods)) {
      const nodeName = node === false ? undefined : name;
      const spec = { ...template().spec, nodeName };
      await story.create('pods', { metadata: { name, annotations, labels }, spec }, 'api/v1');
    }
    const hour = 3_600_000;
    for (const [name, { phase = 'Running', ready = true, readyFor = hour, restarts = 0 }] of Object.entries(
      pods,
    )) {
      const since = new Date(story.now().getTime() - readyFor);
      await story.report({ metadata: { name } }, phase, { Ready: ready && phase === 'Running' }, since);
      const containerStatuses = [
        { name: 'web', restartCount: restarts, image: 'web:1', imageID: '', ready: true },
      ];
      await story.patch('pods', `${name}/status`, { status: { containerStatuses } }, 'api/v1');
    }
    await story.create('replicasets', paused);
    const deleted: string[] = [];
    for (let left = Object.keys(pods).length; left > 0; left--) {
      await story.until(async () => (await story.pods()).length === left);
      const before = (await story.pods()).map(({ metadata }) => metadata.name);
      await story.patch('replicasets', 'web', { spec: { replicas: left - 1 } });
      await story.until(async () => (await story.pods()).length === left - 1);
      const after = new Set((await story.pods()).map(({ metadata }) => metadata.name));
      deleted.push(...before.filter((name) => !after.has(name)));
    }
    await expect(asRecorded(deleted)).toMatchFileSnapshot('recorded/order.yaml');
  });
});
