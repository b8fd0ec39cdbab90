import { expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { inOrder } from '../../support/in-order.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const classes = '/apis/networking.k8s.io/v1/ingressclasses';
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const nodes = '/api/v1/nodes';
const pods = '/api/v1/namespaces/default/pods';
const backend = { service: { name: 's', port: { number: 80 } } };
const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';

onEachServer('plugins that are on by default', (server) => {
  test('an Ingress gets the default class', async () => {
    const { session } = server;
    const classOf = async (fields: object = {}, annotations: object = {}) => {
      const spec = { defaultBackend: backend, ...fields };
      const answer = await session.post(`${ingresses}?dryRun=All`, {
        metadata: { name: 'i', annotations },
        spec,
      });
      return answer.body.spec?.ingressClassName ?? 'none';
    };
    const outcomes: Record<string, unknown> = { 'without classes': await classOf() };
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    const spec = { controller: 'example.com/c' };
    await session.post(classes, { metadata: { name: 'plain' }, spec });
    outcomes['without a default class'] = await classOf();
    await session.post(classes, { metadata: { name: 'bydefault', annotations }, spec });
    // Admission may not see a new class at once.
    await until(async () => (await classOf()) !== 'none');
    outcomes['a default class'] = await classOf();
    outcomes['its own class'] = await classOf({ ingressClassName: 'plain' });
    outcomes['the old annotation'] = await classOf({}, { 'kubernetes.io/ingress.class': 'old' });
    outcomes['an empty old annotation'] = await classOf({}, { 'kubernetes.io/ingress.class': '' });
    await session.post(ingresses, {
      metadata: { name: 'stored' },
      spec: { defaultBackend: backend, ingressClassName: 'plain' },
    });
    const updated = await session.merge(`${ingresses}/stored`, { spec: { ingressClassName: null } });
    outcomes['an update'] = updated.body.spec.ingressClassName ?? 'none';
    await session.merge(`${classes}/bydefault`, { metadata: { annotations: null } });
    await until(async () => (await classOf()) === 'none');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      '../recorded/default-plugins/ingress-classes.yaml',
    );
  });

  test('a pod with a node gets the labels of its zone and region', async () => {
    const { session } = server;
    const labels = { [zone]: 'z', [region]: 'r', 'kubernetes.io/hostname': 'h', other: 'x' };
    await session.post(nodes, { metadata: { name: 'labeled', labels } });
    await session.post(nodes, { metadata: { name: 'bare' } });
    const containers = [{ name: 'c', image: 'i' }];
    const labelsOf = async (nodeName: string | undefined, own?: object) => {
      const { body } = await session.post(`${pods}?dryRun=All`, {
        metadata: { name: 'p', ...(own && { labels: own }) },
        spec: { containers, nodeName },
      });
      return body.metadata?.labels ?? 'none';
    };
    // Admission may not see a new node at once.
    await until(async () => (await labelsOf('labeled')) !== 'none');
    const outcomes: Record<string, unknown> = {
      'a new pod': await labelsOf('labeled'),
      'its own labels': await labelsOf('labeled', { own: 'kept', [zone]: 'mine' }),
      'a node without labels': await labelsOf('bare'),
      'a node that does not exist': await labelsOf('missing'),
      'no node': await labelsOf(undefined, { own: 'kept', [zone]: 'mine' }),
    };
    for (const [name, metadata] of Object.entries({
      bound: {},
      labeled: { labels: { own: 'kept', [zone]: 'mine' } },
    })) {
      await session.post(pods, { metadata: { name, ...metadata }, spec: { containers } });
      const target = { kind: 'Node', name: 'labeled' };
      const { code } = await session.post(`${pods}/${name}/binding`, {
        metadata: { name, labels: { of: 'binding' } },
        target,
      });
      outcomes[`${name}, by a binding`] = [code, (await session.get(`${pods}/${name}`)).body.metadata.labels];
    }
    await session.post(pods, { metadata: { name: 'old-way' }, spec: { containers } });
    await session.post('/api/v1/namespaces/default/bindings', {
      metadata: { name: 'old-way' },
      target: { kind: 'Node', name: 'labeled' },
    });
    outcomes['by the old endpoint'] = (await session.get(`${pods}/old-way`)).body.metadata.labels ?? 'none';
    await expect(asRecorded(inOrder(outcomes))).toMatchFileSnapshot(
      '../recorded/default-plugins/topology-labels.yaml',
    );
  });

  test('a pod does not outgrow its node', async () => {
    const { session } = server;
    const allocatable = { cpu: '2', memory: '1Gi' };
    for (const [name, os] of Object.entries({ small: 'linux', windows: 'windows', plain: undefined })) {
      const labels = { ...(os && { 'kubernetes.io/os': os }) };
      await session.post(nodes, { metadata: { name, labels } });
      await session.merge(`${nodes}/${name}/status`, { status: { allocatable, capacity: allocatable } });
    }
    const sized = ([cpu, memory]: readonly [string, string]) => ({
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu, memory } } }] },
    });
    const outcomes: Record<string, unknown> = {};
    for (const nodeName of ['small', 'windows', 'plain', 'lost', undefined]) {
      const name = `on-${nodeName ?? 'none'}`;
      const { spec } = sized(['1', '256Mi']);
      await session.post(pods, { metadata: { name }, spec: { ...spec, nodeName } });
      for (const size of [
        ['1500m', '512Mi'],
        ['1', '256Mi'],
        ['2', '1Gi'],
        ['2500m', '512Mi'],
        ['3', '2.5Gi'],
      ] as const) {
        const answer = await session.send('PATCH', `${pods}/${name}/resize?dryRun=All`, {
          contentType: 'application/strategic-merge-patch+json',
          body: sized(size),
        });
        const causes = answer.body.details?.causes;
        outcomes[`${name}: ${size.join(', ')}`] =
          answer.code < 400 ? answer.code : { ...(refusal(answer) as object), causes };
      }
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/default-plugins/resized-pods.yaml');
  });

  test('a resize needs what the node declares', async () => {
    const { session } = server;
    const podLevel = 'InPlacePodLevelResourcesVerticalScaling';
    const initContainers = 'InPlacePodVerticalScalingInitContainers';
    const declared: Record<string, string[] | undefined> = {
      nothing: undefined,
      'pod-level': [podLevel],
      init: [initContainers],
      both: [podLevel, initContainers],
    };
    const allocatable = { cpu: '8', memory: '8Gi' };
    for (const [name, declaredFeatures] of Object.entries(declared)) {
      await session.post(nodes, { metadata: { name } });
      await session.merge(`${nodes}/${name}/status`, {
        status: { allocatable, capacity: allocatable, declaredFeatures },
      });
    }
    const sized = (name: string, cpu: string) => ({
      name,
      image: 'i',
      resources: { requests: { cpu, memory: '64Mi' } },
    });
    const spec = {
      resources: { requests: { cpu: '2', memory: '1Gi' } },
      containers: [sized('c', '1')],
      initContainers: [sized('i', '1'), { ...sized('s', '500m'), restartPolicy: 'Always' }],
    };
    const resizes: Record<string, object> = {
      container: { containers: [sized('c', '1200m')] },
      sidecar: { initContainers: [sized('s', '600m')] },
      'init container': { initContainers: [sized('i', '1200m')] },
      pod: { resources: { requests: { cpu: '3', memory: '1Gi' } } },
      'pod in another notation': { resources: { requests: { cpu: '2000m', memory: '1024Mi' } } },
      'pod and init container': {
        resources: { requests: { cpu: '3', memory: '1Gi' } },
        initContainers: [sized('i', '1200m')],
      },
    };
    const outcomes: Record<string, unknown> = {};
    for (const nodeName of [...Object.keys(declared), 'lost', undefined]) {
      const name = `declared-${nodeName ?? 'none'}`;
      const created = await session.post(pods, { metadata: { name }, spec: { ...spec, nodeName } });
      expect(created.body.message).toBeUndefined();
      for (const [title, change] of Object.entries(resizes)) {
        const answer = await session.send('PATCH', `${pods}/${name}/resize?dryRun=All`, {
          contentType: 'application/strategic-merge-patch+json',
          body: { spec: change },
        });
        outcomes[`${nodeName ?? 'none'}: ${title}`] = answer.code < 400 ? answer.code : refusal(answer);
      }
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      '../recorded/default-plugins/declared-features.yaml',
    );
  });
});
