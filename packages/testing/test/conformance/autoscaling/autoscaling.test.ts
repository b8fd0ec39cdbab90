import { expect, test } from 'vitest';
import { onEachServer, type Server } from '../../../../apiserver/test/support/on-each-server.ts';
import { mask } from '../../support/shown.ts';
import { Story } from '../../support/story.ts';

/** kube-controller-manager evaluates autoscalers every 15 seconds, and its time is real. */
const timeout = 400_000;
const autoscaling = 'apis/autoscaling/v2';
const labels = { app: 'web' };
const template = {
  metadata: { labels },
  spec: {
    containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '100m', memory: '100Mi' } } }],
    terminationGracePeriodSeconds: 0,
  },
};
const average = (averageValue: string) => ({ type: 'AverageValue', averageValue });
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
/** Without the delays that make a story long. */
const behavior = {
  scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 10, periodSeconds: 15 }] },
  scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 2, periodSeconds: 15 }] },
};

/** A story about one autoscaler and its Deployment. */
class AutoscalingStory {
  readonly story: Story;
  readonly namespace: string;
  readonly #server: Server;

  constructor(server: Server, story: Story) {
    this.#server = server;
    this.story = story;
    this.namespace = story.namespace;
  }

  get metrics() {
    return this.#server.environment.metrics;
  }

  /** The pods of the Deployment. */
  get pods() {
    return { namespace: this.namespace, labels };
  }

  async deployment(replicas: number): Promise<void> {
    const spec = { replicas, selector: { matchLabels: labels }, template };
    await this.story.create('deployments', { metadata: { name: 'web' }, spec });
    await this.story.until(async () => (await this.story.pods()).length === replicas);
    await this.run();
  }

  /** Lets all pods run and be ready. */
  async run(): Promise<void> {
    const since = new Date(this.story.now().getTime() - 60_000);
    const startTime = `${since.toISOString().slice(0, 19)}Z`;
    for (const pod of await this.story.pods()) {
      await this.story.report(pod, 'Running', { Ready: true }, since);
      await this.story.patch('pods', `${pod.metadata.name}/status`, { status: { startTime } }, 'api/v1');
    }
  }

  async autoscaler(spec: object): Promise<void> {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const body = { metadata: { name: 'web' }, spec: { scaleTargetRef, maxReplicas: 10, behavior, ...spec } };
    await this.story.create('horizontalpodautoscalers', body, autoscaling);
  }

  change(spec: object): Promise<void> {
    return this.story.patch('horizontalpodautoscalers', 'web', { spec }, autoscaling);
  }

  /** Whether the autoscaler has a status for which a condition holds. */
  has(isReached: (status: any) => boolean): () => Promise<boolean> {
    return async () => {
      const [autoscaler] = await this.story.list('horizontalpodautoscalers', autoscaling);
      return Boolean(autoscaler?.status?.conditions) && isReached(autoscaler.status);
    };
  }

  /** Whether a condition has a reason. */
  because(type: string, reason: string): () => Promise<boolean> {
    return this.has(({ conditions }) =>
      conditions.some((condition: any) => condition.type === type && condition.reason === reason),
    );
  }
}

async function begin(server: Server, namespace: string) {
  const show = ({ status, metadata }: any) => mask({ name: metadata.name, status });
  const watched = [
    { group: autoscaling, resource: 'horizontalpodautoscalers', show },
    {
      group: 'apis/apps/v1',
      resource: 'deployments',
      show: ({ spec }: any) => ({ replicas: spec.replicas }),
    },
  ];
  const story = await Story.begin(server, namespace, watched);
  return { story, scaled: new AutoscalingStory(server, story) };
}

onEachServer('HorizontalPodAutoscalers', { recordRequests: true, workloads: { nodes: 0 } }, (server) => {
  test('without a metrics server nothing scales', async () => {
    const { story, scaled } = await begin(server, 'no-metrics');
    await scaled.deployment(1);
    await story.step(
      'resource',
      () => scaled.autoscaler({ metrics: [cpu(50)] }),
      scaled.because('ScalingActive', 'FailedGetResourceMetric'),
    );
    const metrics = [{ type: 'Pods', pods: { metric: { name: 'requests' }, target: average('10') } }];
    await story.step(
      'pods',
      () => scaled.change({ metrics }),
      scaled.because('ScalingActive', 'FailedGetPodsMetric'),
    );
    const external = [{ type: 'External', external: { metric: { name: 'queue' }, target: average('10') } }];
    await story.step(
      'external',
      () => scaled.change({ metrics: external }),
      scaled.because('ScalingActive', 'FailedGetExternalMetric'),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/no-metrics.yaml');
  });

  test('the CPU of pods scales a Deployment within its bounds', { timeout }, async () => {
    const { story, scaled } = await begin(server, 'cpu');
    await scaled.deployment(2);
    await scaled.metrics.set({ pods: scaled.pods, cpu: '52m', memory: '10Mi' });
    await story.step(
      'within the tolerance',
      () => scaled.autoscaler({ metrics: [cpu(50)], minReplicas: 2 }),
      scaled.has(({ currentMetrics }) => currentMetrics),
    );
    await story.step(
      'above',
      () => scaled.metrics.set({ pods: scaled.pods, cpu: '120m' }),
      scaled.because('AbleToScale', 'SucceededRescale'),
    );
    await story.step(
      'new pods without metrics wait',
      () => Promise.resolve(),
      scaled.because('AbleToScale', 'ReadyForNewScale'),
    );
    await story.step(
      'far above',
      async () => {
        await scaled.run();
        await scaled.metrics.set({ pods: scaled.pods, cpu: '500m' });
      },
      scaled.has(({ desiredReplicas }) => desiredReplicas === 10),
    );
    await story.step('at most', () => scaled.run(), scaled.because('ScalingLimited', 'TooManyReplicas'));
    await story.step(
      'below',
      () => scaled.metrics.set({ pods: scaled.pods, cpu: '5m' }),
      scaled.because('ScalingLimited', 'ScaleDownLimit'),
    );
    await story.step('at least', () => Promise.resolve(), scaled.because('ScalingLimited', 'TooFewReplicas'));
    await story.step(
      'no metrics',
      async () => scaled.metrics.clear(),
      scaled.because('ScalingActive', 'FailedGetResourceMetric'),
    );
    await story.step(
      'scaled to zero by hand',
      () => story.patch('deployments', 'web', { spec: { replicas: 0 } }),
      scaled.because('ScalingActive', 'ScalingDisabled'),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/cpu.yaml');
  });

  test('each kind of metric has its words', { timeout }, async () => {
    const { story, scaled } = await begin(server, 'kinds');
    await scaled.deployment(2);
    const { metrics, pods, namespace } = scaled;
    await metrics.set({ pods, cpu: '50m', memory: '150Mi' });
    await metrics.set({ pods, metric: 'requests', value: '1500m' });
    await metrics.set({ object: { kind: 'Service', name: 'web', namespace }, metric: 'hits', value: 30 });
    await metrics.set({ external: true, metric: 'queue', labels: { queue: 'mail' }, value: 5 });
    await metrics.set({ external: true, metric: 'queue', labels: { queue: 'logs' }, value: 7 });
    const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'web' };
    const selector = { matchLabels: { queue: 'mail' } };
    const sources = {
      memory: { type: 'Resource', resource: { name: 'memory', target: average('50Mi') } },
      container: {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'web',
          target: { type: 'Utilization', averageUtilization: 20 },
        },
      },
      'missing container': {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'other',
          target: { type: 'Utilization', averageUtilization: 20 },
        },
      },
      pods: { type: 'Pods', pods: { metric: { name: 'requests' }, target: average('1') } },
      object: {
        type: 'Object',
        object: { metric: { name: 'hits' }, describedObject, target: { type: 'Value', value: '10' } },
      },
      'object per pod': {
        type: 'Object',
        object: { metric: { name: 'hits' }, describedObject, target: average('6') },
      },
      'missing object metric': {
        type: 'Object',
        object: { metric: { name: 'other' }, describedObject, target: average('6') },
      },
      external: {
        type: 'External',
        external: { metric: { name: 'queue' }, target: { type: 'Value', value: '6' } },
      },
      'external per pod': {
        type: 'External',
        external: { metric: { name: 'queue', selector }, target: average('2') },
      },
      'missing external metric': {
        type: 'External',
        external: { metric: { name: 'other' }, target: { type: 'Value', value: '6' } },
      },
    };
    let previous = '';
    for (const [title, source] of Object.entries(sources)) {
      await story.step(
        title,
        async () => {
          if (previous !== '') {
            await story.delete('horizontalpodautoscalers', 'web', { group: autoscaling });
            await story.patch('deployments', 'web', { spec: { replicas: 2 } });
            await story.until(async () => (await story.pods()).length === 2);
            await scaled.run();
          }
          previous = title;
          await scaled.autoscaler({ metrics: [source] });
        },
        scaled.has(({ conditions }) => conditions.some(({ type }: any) => type === 'ScalingActive')),
      );
    }
    await expect(story.recorded()).toMatchFileSnapshot('recorded/kinds.yaml');
  });

  test('what cannot be scaled has its words', async () => {
    const { story, scaled } = await begin(server, 'targets');
    const target = (scaleTargetRef: object) => ({ scaleTargetRef, metrics: [cpu(50)] });
    const failed = scaled.because('AbleToScale', 'FailedGetScale');
    await story.step('no Deployment', () => scaled.autoscaler({ metrics: [cpu(50)] }), failed);
    await story.delete('horizontalpodautoscalers', 'web', { group: autoscaling });
    await story.step(
      'no kind',
      () => scaled.autoscaler(target({ apiVersion: 'example.com/v1', kind: 'Web', name: 'web' })),
      failed,
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/targets.yaml');
  });
});
