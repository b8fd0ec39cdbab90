import { expect, test } from 'vitest';
import { outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const container = (name: string, requests?: object, limits?: object, more?: object) => ({
  name,
  image: 'i',
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
  ...more,
});
const pod = (...containers: unknown[]) => ({ spec: { containers } });
const ofContainers = (item: object) => ({ type: 'Container', ...item });
const ofPods = (item: object) => ({ type: 'Pod', ...item });
const ofClaims = (item: object) => ({ type: 'PersistentVolumeClaim', ...item });

const ranges: Record<string, object[]> = {
  defaults: [ofContainers({ default: { cpu: '500m', memory: '1Gi' }, defaultRequest: { cpu: '100m' } })],
  'default requests': [ofContainers({ defaultRequest: { memory: '64Mi' } })],
  minimum: [ofContainers({ min: { cpu: '200m' } })],
  maximum: [ofContainers({ max: { memory: '512Mi' } })],
  'minimum and maximum': [ofContainers({ min: { cpu: '0.2' }, max: { cpu: '1' } })],
  ratio: [ofContainers({ maxLimitRequestRatio: { cpu: '2' } })],
  'fractional ratio': [ofContainers({ maxLimitRequestRatio: { memory: '1.5' } })],
  'several resources': [
    ofContainers({
      min: { cpu: '1', memory: '1Gi' },
      max: { cpu: '4', memory: '4Gi' },
      default: { cpu: '2' },
    }),
  ],
  'minimum of pods': [ofPods({ min: { cpu: '500m' } })],
  'maximum of pods': [ofPods({ max: { cpu: '600m', memory: '1Gi' } })],
  'ratio of pods': [ofPods({ maxLimitRequestRatio: { cpu: '1500m' } })],
  'pods and containers': [ofPods({ max: { cpu: '2' } }), ofContainers({ max: { cpu: '1' } })],
  claims: [ofClaims({ min: { storage: '1Gi' }, max: { storage: '10Gi' } })],
  'other types': [{ type: 'example.com/other', min: { cpu: '5' } }],
};

const small = { cpu: '100m', memory: '64Mi' };
const middle = { cpu: '250m', memory: '256Mi' };
const large = { cpu: '2', memory: '1.5Gi' };
const pods: Record<string, object> = {
  plain: pod(container('a')),
  'two plain': pod(container('a'), container('b')),
  small: pod(container('a', small, small)),
  middle: pod(container('a', middle, middle)),
  large: pod(container('a', large, large)),
  'three middle': pod(...['a', 'b', 'c'].map((name) => container(name, middle, middle))),
  'requests only': pod(container('a', middle)),
  'limits only': pod(container('a', undefined, middle)),
  'small requests': pod(container('a', small, middle)),
  'odd ratio': pod(container('a', { cpu: '300m', memory: '100Mi' }, { cpu: '1', memory: '133Mi' })),
  'exact ratio': pod(container('a', { cpu: '200m' }, { cpu: '400m' })),
  'cpu only': pod(container('a', { cpu: '250m' }, { cpu: '250m' })),
  'zero requests': pod(container('a', { cpu: '0' }, { cpu: '1' })),
  'init container': {
    spec: { containers: [container('a', small, small)], initContainers: [container('i', large, large)] },
  },
  'plain init container': { spec: { containers: [container('a')], initContainers: [container('i')] } },
  sidecar: {
    spec: {
      containers: [container('a', middle, middle)],
      initContainers: [container('s', middle, middle, { restartPolicy: 'Always' })],
    },
  },
  'pod resources': { spec: { containers: [container('a')], resources: { requests: large, limits: large } } },
  annotated: {
    metadata: { annotations: { 'kubernetes.io/limit-ranger': 'old', other: 'kept' } },
    ...pod(container('a')),
  },
  'generated name': {
    metadata: { name: undefined, generateName: 'gen-' },
    ...pod(container('a', small, small)),
  },
};

/** A real server reads amounts in any order. */
function inFixedOrder(outcome: any): unknown {
  const message = outcome.message?.replace(
    /(?<= is forbidden: )\[(.*)\]$/s,
    (_: string, list: string) =>
      `[${list
        .split(/, (?=minimum|maximum|\S+ max)/)
        .toSorted()
        .join(', ')}]`,
  );
  const name = message?.replace(/gen-[a-z0-9]{5}/, 'gen-<suffix>');
  return Object.assign(outcome, message && { message: name });
}

onEachServer('limit ranges', (server) => {
  async function createNamespace(name: string, limits: object[]): Promise<string> {
    const path = `/api/v1/namespaces/${name}`;
    await server.session.post('/api/v1/namespaces', { metadata: { name } });
    const { code, body } = await server.session.post(`${path}/limitranges`, {
      metadata: { name: 'range' },
      spec: { limits },
    });
    expect(body.message ?? code).toBe(201);
    return path;
  }

  test.each(Object.keys(ranges))('%s', async (title) => {
    const namespace = title.replaceAll(' ', '-');
    const path = await createNamespace(namespace, ranges[title] ?? []);
    const outcomes: Record<string, unknown> = {};
    for (const [name, { metadata, ...fields }] of Object.entries<any>(pods)) {
      const answer = await server.session.post(`${path}/pods?dryRun=All`, {
        metadata: { name: 'p', ...metadata },
        ...fields,
      });
      const { body } = answer;
      if (answer.code === 201) {
        const { annotations } = body.metadata;
        const { containers, initContainers, resources } = body.spec;
        const seen = [...containers, ...(initContainers ?? [])].map((one: any) => one.resources);
        answer.body = { annotations, containers: seen, resources, qosClass: body.status.qosClass };
      }
      outcomes[name] = inFixedOrder(outcomeOf(answer));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/limit-ranges/${namespace}.yaml`);
  });

  test('new and growing claims', async () => {
    const path = `${await createNamespace('growing', [ofClaims({ min: { storage: '1Gi' }, max: { storage: '10Gi' } })])}/persistentvolumeclaims`;
    const claim = (storage: string) => ({
      metadata: { name: 'c' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'growing',
        resources: { requests: { storage } },
      },
    });
    await server.session.post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'growing' },
      provisioner: 'p',
      allowVolumeExpansion: true,
    });
    const outcomes: Record<string, unknown> = {};
    for (const size of ['512Mi', '1Gi', '10Gi', '11Gi', '20G'])
      outcomes[size] = outcomeOf(await server.session.post(`${path}?dryRun=All`, claim(size)));
    await server.session.post(path, claim('2Gi'));
    await server.session.merge(`${path}/c/status`, {
      status: { phase: 'Bound', capacity: { storage: '2Gi' } },
    });
    outcomes['labeled'] = outcomeOf(
      await server.session.merge(`${path}/c`, { metadata: { labels: { a: 'b' } } }),
    );
    for (const storage of ['4Gi', '20Gi'])
      outcomes[`grown to ${storage}`] = outcomeOf(
        await server.session.merge(`${path}/c`, { spec: { resources: { requests: { storage } } } }),
      );
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/limit-ranges/growing.yaml');
  });

  test('stored pods and resized ones', async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'stored' } });
    const path = '/api/v1/namespaces/stored';
    await server.session.post(`${path}/pods`, {
      metadata: { name: 'p' },
      ...pod(container('a', small, small)),
    });
    await server.session.post(`${path}/limitranges`, {
      metadata: { name: 'range' },
      spec: { limits: [ofContainers({ min: { cpu: '200m' }, max: { memory: '512Mi' } })] },
    });
    const outcomes: Record<string, unknown> = {};
    const resize = (requests: object) =>
      server.session.send('PATCH', `${path}/pods/p/resize?dryRun=All`, {
        contentType: 'application/strategic-merge-patch+json',
        body: { spec: { containers: [{ name: 'a', resources: { requests, limits: requests } }] } },
      });
    // Admission may not see a new range at once.
    while ((await resize(small)).code === 200);
    const steps: Record<string, Promise<any>> = {
      relabeled: server.session.merge(`${path}/pods/p`, { metadata: { labels: { a: 'b' } } }),
      small: resize(small),
      middle: resize(middle),
      large: resize(large),
    };
    for (const [name, step] of Object.entries(steps)) {
      const answer = await step;
      outcomes[name] = answer.code === 200 ? 200 : inFixedOrder(outcomeOf(answer));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/limit-ranges/stored.yaml');
  });
});
