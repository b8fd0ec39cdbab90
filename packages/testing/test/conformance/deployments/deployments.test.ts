import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { asRecorded } from '../../../../apiserver/test/support/recorded.ts';
import { mask } from '../../support/shown.ts';
import { Story } from '../../support/story.ts';

const watched = [
  { group: 'apis/apps/v1', resource: 'deployments' },
  { group: 'apis/apps/v1', resource: 'replicasets' },
];
const labels = { app: 'web' };
const template = (image = 'web:1') => ({
  metadata: { labels },
  spec: { containers: [{ name: 'web', image }], terminationGracePeriodSeconds: 0 },
});
const deployment = (replicas: number, spec: object = {}) => ({
  metadata: { name: 'web', annotations: { note: 'of the Deployment' } },
  spec: { replicas, selector: { matchLabels: labels }, template: template(), ...spec },
});
const recreate = { strategy: { type: 'Recreate', rollingUpdate: null } };

const options = { recordRequests: true, controllers: { garbageCollector: true } };

onEachServer('Deployments', { ...options, workloads: { nodes: 0 } }, (server) => {
  const begin = (namespace: string) => Story.begin(server, namespace, watched);
  const change = (story: Story, spec: object) => story.patch('deployments', 'web', { spec });
  const roll = (story: Story, image: string) => change(story, { template: template(image) });
  /** The pods of the second template that are not ready. */
  const unreadyOfSecond = async (story: Story) =>
    (await story.pods()).filter(
      ({ spec, status }) => spec.containers[0].image === 'web:2' && !status.conditions?.length,
    );
  /** Makes all pods ready, as they come, until the rollout is complete. */
  const settle = async (story: Story) => {
    await story.until(async () => {
      const unready = (await story.pods()).filter(
        ({ status }) => !status.conditions?.some(({ type }: any) => type === 'Ready'),
      );
      await story.ready(unready).catch(() => {});
      const [{ status, spec, metadata }] = await story.list('deployments');
      return (
        status.observedGeneration === metadata.generation &&
        (status.updatedReplicas ?? 0) === spec.replicas &&
        (status.replicas ?? 0) === spec.replicas &&
        (status.availableReplicas ?? 0) === spec.replicas
      );
    });
  };

  test('a rolling update moves pods within maxSurge and maxUnavailable', async () => {
    const story = await begin('rolling');
    await story.step('created', () => story.create('deployments', deployment(4)));
    await story.step('ready', () => story.ready());
    await story.step('a new template', () => roll(story, 'web:2'));
    await story.step('one new pod is ready', async () =>
      story.ready((await unreadyOfSecond(story)).slice(0, 1)),
    );
    await story.step('all pods are ready, as they come', () => settle(story));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/rolling.yaml');
  });

  test('a Deployment that recreates its pods waits until the old ones are gone', async () => {
    const story = await begin('recreating');
    const held = { ...template(), metadata: { labels, finalizers: ['example.com/hold'] } };
    await story.step('created', () =>
      story.create('deployments', deployment(2, { ...recreate, template: held })),
    );
    await story.step('ready', () => story.ready());
    await story.step('a new template', () => roll(story, 'web:2'));
    await story.step('the old pods are gone', async () => {
      for (const { metadata } of await story.list('pods', 'api/v1'))
        await story.patch('pods', metadata.name, { metadata: { finalizers: null } }, 'api/v1');
    });
    await story.step('ready again', () => story.ready());
    await expect(story.recorded()).toMatchFileSnapshot('recorded/recreating.yaml');
  });

  test('a paused Deployment scales, does not roll out, and goes on when it is resumed', async () => {
    const story = await begin('paused');
    await story.step('created and ready', async () => {
      await story.create('deployments', deployment(2));
      await settle(story);
    });
    await story.step('paused', () => change(story, { paused: true }));
    await story.step('a new template', () => roll(story, 'web:2'));
    await story.step('scaled to 3', () => change(story, { replicas: 3 }));
    await story.step('resumed', () => change(story, { paused: false }));
    await story.step('rolled out', () => settle(story));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/paused.yaml');
  });

  test('a Deployment that is scaled during a rollout gives each ReplicaSet its share', async () => {
    const story = await begin('proportional');
    const limits = { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: '20%' } } };
    await story.step('created and ready', async () => {
      await story.create('deployments', deployment(10, limits));
      await settle(story);
    });
    await story.step('a template that does not become ready', () => roll(story, 'web:2'));
    await story.step('scaled up to 30', () => change(story, { replicas: 30 }));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/proportional.yaml');
  });

  test('a Deployment that is scaled down during a rollout keeps enough pods available', async () => {
    const story = await begin('scaled-down');
    const limits = { strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } };
    await story.step('created and ready', async () => {
      await story.create('deployments', deployment(6, limits));
      await settle(story);
    });
    await story.step('a second template', () => roll(story, 'web:2'));
    await story.step('scaled down to 3', () => change(story, { replicas: 3 }));
    await story.step('one new pod is ready', async () =>
      story.ready((await unreadyOfSecond(story)).slice(0, 1)),
    );
    await story.step('scaled down to 1', () => change(story, { replicas: 1 }));
    await story.step('scaled down to 0', () => change(story, { replicas: 0 }));
    await story.step('scaled up to 2', () => change(story, { replicas: 2 }));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/scaled-down.yaml');
  });

  test('old ReplicaSets are kept up to the limit, and one of them becomes the newest again', async () => {
    const story = await begin('history');
    await story.create('deployments', deployment(1, { revisionHistoryLimit: 2 }));
    await story.step('three changes', async () => {
      for (const image of ['web:2', 'web:3', 'web:4']) {
        await settle(story);
        await roll(story, image);
      }
      await settle(story);
    });
    await story.step('back to the third', async () => {
      await roll(story, 'web:3');
      await settle(story);
    });
    await expect(story.recorded()).toMatchFileSnapshot('recorded/history.yaml');
  });

  test('a revision is an integer of 64 bits', async () => {
    const story = await begin('large-revision');
    const revision = 'deployment.kubernetes.io/revision';
    await story.create('replicasets', {
      metadata: { name: 'old', labels, annotations: { [revision]: '3546343826724305832' } },
      spec: { replicas: 0, selector: { matchLabels: labels }, template: template('web:0') },
    });
    await story.create('deployments', deployment(0));
    await story.until(
      async () => (await story.list('deployments'))[0].metadata.annotations[revision] !== undefined,
    );
    const [{ metadata }] = await story.list('deployments');
    expect(metadata.annotations[revision]).toBe('3546343826724305833');
  });

  test('a rollover: a third template takes over from one that did not become ready', async () => {
    const story = await begin('rollover');
    await story.step('created and ready', async () => {
      await story.create('deployments', deployment(3));
      await settle(story);
    });
    await story.step('a second template', () => roll(story, 'web:2'));
    await story.step('a third template', () => roll(story, 'web:3'));
    await story.step('rolled out', () => settle(story));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/rollover.yaml');
  });

  test('a rollout that makes no progress exceeds its deadline, and recovers', async () => {
    const story = await begin('deadline');
    const progress = async () =>
      (await story.list('deployments'))[0]?.status.conditions?.find(({ type }: any) => type === 'Progressing')
        ?.reason;
    const limits = { progressDeadlineSeconds: 1, minReadySeconds: 0 };
    await story.step(
      'created',
      () => story.create('deployments', deployment(1, limits)),
      async () => (await progress()) === 'ProgressDeadlineExceeded',
    );
    await story.step('ready', () => settle(story));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/deadline.yaml');
  });

  test('ReplicaSets that match are adopted, and stay without their Deployment', async () => {
    const story = await begin('orphans');
    await story.step('created and ready', async () => {
      await story.create('deployments', deployment(1));
      await settle(story);
    });
    await story.step('deleted, and the ReplicaSet stays', () =>
      story.delete('deployments', 'web', { propagationPolicy: 'Orphan' }),
    );
    await story.step('created again', () => story.create('deployments', deployment(1)));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/orphans.yaml');
  });

  test('a quota that refuses pods becomes a condition', async () => {
    const story = await begin('quota');
    const quota = { metadata: { name: 'pods' }, spec: { hard: { pods: '0' } } };
    await story.create('resourcequotas', quota, 'api/v1');
    const used = { status: { hard: { pods: '0' }, used: { pods: '0' } } };
    await story.patch('resourcequotas', 'pods/status', used, 'api/v1');
    await story.create('deployments', deployment(1));
    const conditions = async () => (await story.list('deployments'))[0]?.status.conditions ?? [];
    await story.until(async () => (await conditions()).some(({ type }: any) => type === 'ReplicaFailure'));
    const shown = (await conditions()).map(
      ({ lastUpdateTime: _u, lastTransitionTime: _t, ...rest }: any) => rest,
    );
    await expect(asRecorded(mask(shown))).toMatchFileSnapshot('recorded/quota.yaml');
  });

  test('another ReplicaSet with the name of the new one makes a collision', async () => {
    const story = await begin('collision');
    await story.create('deployments', deployment(0));
    await story.until(async () => (await story.list('replicasets')).length === 1);
    const [{ metadata, spec }] = await story.list('replicasets');
    await story.delete('deployments', 'web', { propagationPolicy: 'Orphan' });
    await story.until(async () => (await story.list('deployments')).length === 0);
    await story.delete('replicasets', metadata.name);
    const other = { ...spec, template: { ...spec.template, spec: template('other').spec } };
    await story.create('replicasets', {
      metadata: { name: metadata.name, labels: { app: 'other' } },
      spec: other,
    });
    // A controller that still sees the first one would try to adopt it.
    await story.until(async () => (await story.list('replicasets'))[0].status.observedGeneration === 1);
    await story.step(
      'created',
      () => story.create('deployments', deployment(1)),
      async () => (await story.list('replicasets')).length === 2,
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/collision.yaml');
  });

  /** Each has other fields in its hash. */
  const templates: Record<string, any> = {
    minimal: {},
    annotated: { metadata: { labels, annotations: { b: '2', a: '1' } } },
    resources: {
      resources: {
        limits: { cpu: '100m', memory: '128Mi', 'example.com/gpu': '2' },
        requests: { cpu: '0', memory: '100M' },
      },
    },
    'more resources': {
      resources: {
        limits: { cpu: '1.5', memory: '3Gi', 'ephemeral-storage': '12e6' },
        requests: { cpu: '0.0005', memory: '16Ki' },
      },
    },
    probes: {
      livenessProbe: { httpGet: { path: '/health', port: 8080 }, periodSeconds: 3 },
      readinessProbe: { tcpSocket: { port: 'http' } },
      ports: [{ name: 'http', containerPort: 8080 }],
      lifecycle: { preStop: { exec: { command: ['sh', '-c', 'sleep 1'] } } },
    },
    environment: {
      env: [
        { name: 'A', value: 'ä' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
      ],
      envFrom: [{ configMapRef: { name: 'c' } }],
      securityContext: { runAsNonRoot: true, runAsUser: 1000, capabilities: { drop: ['ALL'] } },
      command: ['a', 'b'],
      tty: true,
    },
    pod: {
      spec: {
        nodeSelector: { disk: 'ssd' },
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }],
        volumes: [
          { name: 'v', emptyDir: { sizeLimit: '1Gi' } },
          { name: 'c', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
          { name: 'p', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        ],
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: { matchLabels: labels }, topologyKey: 'zone' },
            ],
          },
        },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: labels },
          },
        ],
        serviceAccountName: 'robot',
        securityContext: { fsGroup: 2000, seccompProfile: { type: 'RuntimeDefault' } },
        initContainers: [{ name: 'init', image: 'init', restartPolicy: 'Always' }],
        imagePullSecrets: [{ name: 'pull' }],
        hostNetwork: true,
        enableServiceLinks: false,
        priorityClassName: 'system-node-critical',
      },
    },
  };

  test('the hash of a template is the same in every cluster', async () => {
    const story = await begin('hashes');
    const hashes: Record<string, string> = {};
    for (const [title, { metadata = { labels }, spec = {}, ...container }] of Object.entries(templates)) {
      const containers = [{ name: 'web', image: 'web:1', ...container }];
      await story.create(
        'deployments',
        deployment(0, { template: { metadata, spec: { containers, ...spec } } }),
      );
      await story.until(async () => (await story.list('replicasets')).length === 1);
      hashes[title] = (await story.list('replicasets'))[0].metadata.labels['pod-template-hash'];
      await story.delete('deployments', 'web', { propagationPolicy: 'Background' });
      await story.until(async () => (await story.list('deployments')).length === 0);
      for (const {
        metadata: { name },
      } of await story.list('replicasets'))
        await story.delete('replicasets', name).catch(() => {});
      await story.until(async () => (await story.list('replicasets')).length === 0);
    }
    await expect(asRecorded(hashes)).toMatchFileSnapshot('recorded/hashes.yaml');
  });
});
