import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { Story } from '../../support/story.ts';

const policy = 'apis/policy/v1';
const labelsOf = (name: string) => ({ app: name });
const selectorOf = (name: string) => ({ matchLabels: labelsOf(name) });
const spec = { containers: [{ name: 'web', image: 'web:1' }], terminationGracePeriodSeconds: 0 };
const budgets = {
  'at-least-2': { minAvailable: 2 },
  'at-least-half': { minAvailable: '50%' },
  'one-less': { maxUnavailable: 1 },
  'a-third-less': { maxUnavailable: '34%' },
};

onEachServer('PodDisruptionBudgets', { recordRequests: true, workloads: { nodes: 0 } }, (server) => {
  test('the status says how many pods may be evicted', async () => {
    const story = await Story.begin(server, 'budgets', [{ group: policy, resource: 'poddisruptionbudgets' }]);
    await story.step('created without pods', async () => {
      for (const [name, limits] of Object.entries(budgets)) {
        const body = { metadata: { name }, spec: { selector: selectorOf(name), ...limits } };
        await story.create('poddisruptionbudgets', body, policy);
      }
    });
    await story.step(
      'a Deployment of 4 for each',
      async () => {
        for (const name of Object.keys(budgets)) {
          const template = { metadata: { labels: labelsOf(name) }, spec };
          await story.create('deployments', {
            metadata: { name },
            spec: { replicas: 4, selector: selectorOf(name), template },
          });
        }
      },
      async () => (await story.pods()).length === 16,
    );
    const podsOf = async (name: string) =>
      (await story.pods()).filter(({ metadata }) => metadata.labels.app === name);
    await story.step('three pods of each are ready', async () => {
      for (const name of Object.keys(budgets)) await story.ready((await podsOf(name)).slice(0, 3));
    });
    await story.step('all are ready', () => story.ready());
    await expect(story.recorded()).toMatchFileSnapshot('recorded/budgets.yaml');
  });
});
