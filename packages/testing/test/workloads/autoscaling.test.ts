import { Deployment } from 'ots-kubernetes/apps/v1';
import { HorizontalPodAutoscaler } from 'ots-kubernetes/autoscaling/v2';
import { Client } from 'ots-runtime';
import { TestEnvironment, TestEnvironmentError } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';

const namespace = 'default';
const web = { name: 'web', namespace };
const pods = { labels: { app: 'web' } };

async function start() {
  const environment = await TestEnvironment.start({ workloads: true, clock: 'virtual' });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  await client.create(Deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: web,
    spec: {
      replicas: 1,
      selector: { matchLabels: pods.labels },
      template: {
        metadata: { labels: pods.labels },
        spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '100m' } } }] },
      },
    },
  });
  const replicas = async () => (await client.getOrThrow(Deployment, web)).spec?.replicas;
  return { environment, client, replicas };
}

const autoscaler = (
  spec: Partial<NonNullable<HorizontalPodAutoscaler['spec']>>,
): HorizontalPodAutoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: web,
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    maxReplicas: 10,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
      },
    ],
    ...spec,
  },
});

test('a Deployment grows with its load, and shrinks when the load was low for five minutes', async () => {
  const { environment, client, replicas } = await start();
  await environment.metrics.set({ pods, cpu: '150m' });
  await client.create(HorizontalPodAutoscaler, autoscaler({}));
  await environment.advance('14s');
  expect(await replicas()).toBe(1);
  await environment.advance('1s');
  expect(await replicas()).toBe(3);
  await environment.metrics.set({ pods, cpu: '10m' });
  await environment.advance('299s');
  expect(await replicas()).toBe(3);
  const { status } = await client.getOrThrow(HorizontalPodAutoscaler, web);
  expect(status?.conditions?.[0]).toMatchObject({ type: 'AbleToScale', reason: 'ScaleDownStabilized' });
  await environment.advance('15s');
  expect(await replicas()).toBe(1);
});

test('policies limit how fast a Deployment grows', async () => {
  const { environment, client, replicas } = await start();
  await environment.metrics.set({ external: true, metric: 'queue', value: 90 });
  const external = { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '10' } };
  await client.create(
    HorizontalPodAutoscaler,
    autoscaler({
      metrics: [{ type: 'External', external }],
      behavior: {
        scaleUp: {
          policies: [
            { type: 'Pods', value: 2, periodSeconds: 60 },
            { type: 'Percent', value: 100, periodSeconds: 60 },
          ],
          selectPolicy: 'Min',
        },
      },
    }),
  );
  const grown: unknown[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    await environment.advance(minute === 0 ? '15s' : '1m');
    grown.push(await replicas());
  }
  expect(grown).toEqual([2, 4, 6, 8, 9]);
});

test('a metric is a quantity, and needs workloads', async () => {
  const environment = await TestEnvironment.start({ workloads: true, clock: 'virtual' });
  onTestFinished(() => environment.stop());
  await expect(environment.metrics.set({ pods, cpu: 'much' })).rejects.toThrow(
    'The cpu of a metric is "much"',
  );
  const idle = await TestEnvironment.start({ clock: 'virtual' });
  onTestFinished(() => idle.stop());
  expect(() => idle.metrics).toThrow(TestEnvironmentError);
});
