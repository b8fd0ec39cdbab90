import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { Story } from '../../support/story.ts';

const watched = [{ group: 'apis/apps/v1', resource: 'deployments' }];

const labels = { app: 'web' };
const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

onEachServer('pods on a simulated node', { recordRequests: true, workloads: true }, (server) => {
  test('a Deployment becomes available, and its pods end when it shrinks', async () => {
    const story = await Story.begin(server, 'available', watched);
    const deployment = async () => (await story.list('deployments'))[0];
    await story.step(
      'three pods become ready',
      () => story.create('deployments', web),
      async () => (await deployment())?.status.availableReplicas === 3,
    );
    await story.step(
      'one pod stays',
      () => story.patch('deployments', 'web', { spec: { replicas: 1 } }),
      async () => (await story.list('pods', 'api/v1')).length === 1,
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/deployment.yaml');
  });
});
