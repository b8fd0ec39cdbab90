import { Pod } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { podOf, startNode } from '../support/start-node.ts';

const app = { name: 'app', image: 'app:1' };
const requests = (cpu: string) => [{ ...app, resources: { requests: { cpu } } }];

test.each([
  [
    'more than the node has left',
    { containers: requests('5') },
    'OutOfcpu',
    "Node didn't have enough resource: cpu, requested: 5000, used: 4000, capacity: 8000",
  ],
  [
    'another operating system',
    { containers: [app], os: { name: 'windows' } },
    'PodOSNotSupported',
    "Failed to admit pod as the OS field doesn't match node OS",
  ],
  [
    'labels that the node does not have',
    { containers: [app], nodeSelector: { disk: 'ssd' } },
    'NodeAffinity',
    "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  ],
  [
    'a host port that is taken',
    { containers: [{ ...app, ports: [{ containerPort: 80, hostPort: 80 }] }] },
    'NodePorts',
    "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  ],
])('a kubelet refuses a pod that asks for %s', async (_what, spec, reason, message) => {
  const { environment, client, create, read, events } = await startNode();
  const other = [{ ...requests('4')[0]!, ports: [{ containerPort: 80, hostPort: 80 }] }];
  await client.create(Pod, { ...podOf('other'), spec: { containers: other } });
  await environment.settle();
  await create({ nodeName: 'node-1', ...spec });
  const { status } = (await read())!;
  expect(status).toEqual({
    observedGeneration: 1,
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
    startTime: '2026-01-01T00:00:00Z',
    qosClass: expect.any(String),
  });
  expect(await events()).toContain(`1 Warning ${reason}: ${message}`);
});

test('what a pod had on its node is free when it has ended', async () => {
  const { environment, client, create, status } = await startNode();
  await client.create(Pod, {
    ...podOf('other'),
    spec: { restartPolicy: 'Never', containers: requests('8') },
  });
  await environment.advance('2s');
  await create({ nodeName: 'node-1', containers: requests('8') });
  expect(await status()).toMatchObject({ phase: 'Running' });
});
