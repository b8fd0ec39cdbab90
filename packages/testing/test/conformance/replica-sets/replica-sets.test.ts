import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
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
});
