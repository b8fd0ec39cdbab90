import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { Story } from '../../support/story.ts';

const core = 'api/v1';
const watched = [
  { group: core, resource: 'endpoints' },
  { group: 'apis/discovery.k8s.io/v1', resource: 'endpointslices' },
];
const selector = { app: 'web' };
const container = {
  name: 'web',
  image: 'web:1',
  ports: [
    { name: 'http', containerPort: 8080 },
    { name: 'admin', containerPort: 9090 },
  ],
};
const ports = [
  { name: 'http', port: 80, targetPort: 'http', appProtocol: 'http' },
  { name: 'admin', port: 90, targetPort: 'admin' },
  { name: 'fixed', port: 7000 },
  { name: 'unknown', port: 1, targetPort: 'unknown' },
];

onEachServer('endpoints', { recordRequests: true, workloads: { nodes: 0 } }, (server) => {
  /** Creates a node in a zone and a pod on it. */
  async function createPod(story: Story, name: string, spec: object = {}): Promise<any> {
    const nodeName = `${story.namespace}-node`;
    const labels = { 'topology.kubernetes.io/zone': 'zone-a' };
    await server.session.post('/api/v1/nodes', { metadata: { name: nodeName, labels } });
    const pod = { nodeName, containers: [container], terminationGracePeriodSeconds: 30, ...spec };
    return story.create('pods', { metadata: { name, labels: selector }, spec: pod }, core);
  }
  /** Reports an address and whether the pod is ready, in one write. */
  async function run(story: Story, name: string, ip: string, isReady: boolean): Promise<void> {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime }];
    const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions };
    await story.patch('pods', `${name}/status`, { status }, core);
  }

  test('a pod becomes an endpoint, ready, ending and gone', async () => {
    const story = await Story.begin(server, 'endpoints', watched);
    await story.step('created without pods', async () => {
      const metadata = { name: 'web', labels: { team: 'a' } };
      await story.create('services', { metadata, spec: { selector, ports } }, core);
    });
    await story.step('a pod without an address', () => createPod(story, 'web-1'));
    await story.step('the pod runs', () => run(story, 'web-1', '10.1.0.1', false));
    await story.step('the pod is ready', () => run(story, 'web-1', '10.1.0.1', true));
    await story.step('a second pod', async () => {
      await createPod(story, 'web-2');
      await run(story, 'web-2', '10.1.0.2', false);
    });
    await story.step('other labels', () =>
      story.patch('services', 'web', { metadata: { labels: { team: null, tier: 'b' } } }, core),
    );
    await story.step('the first pod is being deleted', () => story.delete('pods', 'web-1', { group: core }));
    await story.step('the first pod is gone', () =>
      story.delete('pods', 'web-1', { group: core, gracePeriodSeconds: 0 }),
    );
    await story.step('the second pod is being deleted', () => story.delete('pods', 'web-2', { group: core }));
    await story.step('the second pod is gone', () =>
      story.delete('pods', 'web-2', { group: core, gracePeriodSeconds: 0 }),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/life.yaml');
  });

  test('headless Services, Services that publish all pods, and Services of authors', async () => {
    const story = await Story.begin(server, 'endpoints-kinds', watched);
    await story.step('a pod with a name in DNS', async () => {
      await createPod(story, 'web-1', { hostname: 'first', subdomain: 'headless' });
      await run(story, 'web-1', '10.2.0.1', false);
    });
    const specs = {
      headless: { clusterIP: 'None', selector },
      'headless-ports': { clusterIP: 'None', selector, ports: [{ port: 80, targetPort: 'http' }] },
      'all-pods': { publishNotReadyAddresses: true, selector, ports: [{ port: 80 }] },
      'of-an-author': { ports: [{ port: 80 }] },
      external: { type: 'ExternalName', externalName: 'example.com', selector },
    };
    for (const [name, spec] of Object.entries(specs))
      await story.step(`Service ${name}`, () => story.create('services', { metadata: { name }, spec }, core));
    await story.step('the pod is being deleted', () => story.delete('pods', 'web-1', { group: core }));
    await story.step('Endpoints are deleted', () => story.delete('endpoints', 'all-pods', { group: core }));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/kinds.yaml');
  });

  test('a slice has at most 100 endpoints', async () => {
    const story = await Story.begin(server, 'endpoints-many', watched);
    for (let index = 0; index < 101; index += 1) {
      await createPod(story, `web-${index}`);
      await run(story, `web-${index}`, `10.3.0.${index + 1}`, true);
    }
    await story.create(
      'services',
      { metadata: { name: 'web' }, spec: { selector, ports: [{ port: 80 }] } },
      core,
    );
    const sizes = async () =>
      (await story.list('endpointslices', 'apis/discovery.k8s.io/v1'))
        .map(({ endpoints }) => endpoints?.length ?? 0)
        .toSorted((a: number, b: number) => a - b);
    await expect.poll(sizes, { timeout: 10_000 }).toEqual([1, 100]);
  });
});
