import type { PodSpec } from 'ots-kubernetes/core/v1';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Session } from '../../support/session.ts';
import {
  namespaces,
  nodes,
  randomAccess,
  randomPod,
  randomVolume,
  secretSources,
  volumeNames,
} from './random-nodes.ts';

const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
const podsPerNamespace = 8;
const questions = 800;

const userOf = (node: string) => ({ user: `system:node:${node}`, groups: ['system:nodes'] });

async function create(session: Session, path: string, object: object): Promise<void> {
  const { code, body } = await session.post(path, object);
  expect(body.message ?? code).toBe(201);
}

async function createRandomObjects(session: Session, random: Randomness): Promise<void> {
  for (const namespace of namespaces) {
    await create(session, '/api/v1/namespaces', { metadata: { name: namespace } });
    for (let index = 0; index < podsPerNamespace; index += 1)
      await create(session, `/api/v1/namespaces/${namespace}/pods`, randomPod(random, `pod-${index}`));
  }
  for (const name of volumeNames)
    await create(session, '/api/v1/persistentvolumes', randomVolume(random, name));
  for (const node of nodes) {
    const spec = { attacher: 'd.example.com', nodeName: node, source: { persistentVolumeName: 'volume-a' } };
    await create(session, attachments, { metadata: { name: `attached-${node}` }, spec });
  }
}

/** A real server sees new objects a little later. Each kind has its own delay. */
async function untilSeen(session: Session): Promise<void> {
  const metadata = { name: 'last' };
  const persistentVolumeClaim = { claimName: 'last' };
  await create(session, `/api/v1/namespaces/default/pods`, {
    metadata,
    spec: {
      nodeName: 'last',
      containers: [{ name: 'a', image: 'a' }],
      volumes: [{ name: 'v', persistentVolumeClaim }],
    },
  });
  await create(session, '/api/v1/persistentvolumes', {
    metadata,
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'd.example.com', volumeHandle: 'h' },
      claimRef: { namespace: 'default', name: 'last' },
    },
  });
  const spec = { attacher: 'd.example.com', nodeName: 'last', source: { persistentVolumeName: 'last' } };
  await create(session, attachments, { metadata, spec });
  for (const resourceAttributes of [
    { verb: 'get', resource: 'persistentvolumes', name: 'last' },
    { verb: 'get', group: 'storage.k8s.io', resource: 'volumeattachments', name: 'last' },
  ]) {
    await until(async () => {
      const { body } = await session.post(reviews, { spec: { ...userOf('last'), resourceAttributes } });
      return body.status.allowed;
    });
  }
}

/** Binds a role that does not exist to a node and a user, and waits until a real server knows it. */
async function bindMissingRole(session: Session): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  await create(session, `/apis/${apiGroup}/v1/clusterrolebindings`, {
    metadata: { name: 'lost' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'lost' },
    subjects: ['lost', 'system:node:lost'].map((name) => ({ apiGroup, kind: 'User', name })),
  });
  const resourceAttributes = { verb: 'get', resource: 'pods' };
  await until(async () => {
    const { body } = await session.post(reviews, { spec: { user: 'lost', resourceAttributes } });
    return body.status.reason !== undefined;
  });
}

onEachServer('nodes', (server) => {
  beforeAll(async () => {
    await createRandomObjects(server.session, new Randomness(4));
    await untilSeen(server.session);
  });

  const ask = async (spec: object): Promise<any> =>
    (await server.session.post(reviews, { spec })).body.status;

  test('random questions', async () => {
    const random = new Randomness(40);
    const found: string[] = [];
    for (let index = 0; index < questions; index += 1) {
      const node = random.pick(nodes);
      const resourceAttributes = randomAccess(random);
      const {
        allowed,
        reason = '',
        evaluationError = '',
      } = await ask({ ...userOf(node), resourceAttributes });
      found.push(
        `${node}: ${allowed ? 'allowed' : 'denied'} ${[reason, evaluationError].join(' | ')} ${JSON.stringify(resourceAttributes)}`,
      );
    }
    expect(found.filter((line) => line.includes(': allowed')).length).toBeGreaterThan(questions / 8);
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/nodes/random-questions.yaml');
  });

  test('every way to refer to an object', async () => {
    const { session } = server;
    const secrets: Record<string, (name: string) => Partial<PodSpec>> = {
      'image-pull': (name) => ({ imagePullSecrets: [{ name }] }),
      ...Object.fromEntries(
        Object.entries(secretSources).map(([title, source]) => [
          title,
          (name: string) => ({ volumes: [{ name: 'v', ...source(name) }] }),
        ]),
      ),
    };
    const titles = Object.keys(secrets);
    for (const title of titles) {
      await create(session, '/api/v1/namespaces/node-a/pods', {
        metadata: { name: title.toLowerCase() },
        spec: {
          nodeName: 'one',
          containers: [{ name: 'a', image: 'a' }],
          ...secrets[title]?.(title.toLowerCase()),
        },
      });
    }
    await create(session, '/api/v1/namespaces/node-a/pods', {
      metadata: { name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'x' } },
      spec: {
        nodeName: 'one',
        containers: [{ name: 'a', image: 'a', envFrom: [{ secretRef: { name: 'mirror' } }] }],
      },
    });
    await create(session, '/api/v1/namespaces/node-a/pods', {
      metadata: { name: 'mounting' },
      spec: {
        nodeName: 'one',
        containers: [{ name: 'a', image: 'a' }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'mounted' } }],
      },
    });
    const secret = (name: string) => ({ name, namespace: 'node-b' });
    await create(session, '/api/v1/persistentvolumes', {
      metadata: { name: 'mounted' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace: 'node-a', name: 'mounted' },
        csi: {
          driver: 'd.example.com',
          volumeHandle: 'h',
          controllerPublishSecretRef: secret('controller-publish'),
          controllerExpandSecretRef: secret('controller-expand'),
          nodePublishSecretRef: secret('node-publish'),
          nodeStageSecretRef: secret('node-stage'),
          nodeExpandSecretRef: secret('node-expand'),
        },
      },
    });
    const mayRead = async (node: string, namespace: string, name: string): Promise<boolean> => {
      const resourceAttributes = { verb: 'get', resource: 'secrets', namespace, name };
      return (await ask({ ...userOf(node), resourceAttributes })).allowed;
    };
    // A real server sees pods in the order of their creation, and volumes on their own.
    await until(() => mayRead('one', 'node-b', 'node-publish'));
    const found: Record<string, boolean[]> = {};
    for (const title of [...titles, 'mirror'])
      found[title] = [
        await mayRead('one', 'node-a', title.toLowerCase()),
        await mayRead('two', 'node-a', title.toLowerCase()),
        await mayRead('one', 'node-b', title.toLowerCase()),
      ];
    for (const name of [
      'controller-publish',
      'controller-expand',
      'node-publish',
      'node-stage',
      'node-expand',
    ])
      found[name] = [await mayRead('one', 'node-b', name), await mayRead('two', 'node-b', name)];
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/nodes/references.yaml');
  });

  test('users who are like nodes', async () => {
    const resourceAttributes = { verb: 'get', resource: 'nodes', name: 'one' };
    const nonResourceAttributes = { verb: 'get', path: '/apis' };
    const users = [
      userOf('one'),
      userOf('two'),
      userOf(''),
      { user: 'system:node:one', groups: ['system:authenticated'] },
      { user: 'one', groups: ['system:nodes'] },
      { user: 'system:nodes:one', groups: ['system:nodes'] },
      { user: 'system:node:one', groups: ['system:nodes', 'system:masters'] },
      { user: 'system:node:one', groups: ['system:nodes', 'system:authenticated'] },
    ];
    const found = [];
    for (const user of users) {
      for (const question of [{ resourceAttributes }, { nonResourceAttributes }])
        found.push({ user, question, answer: await ask({ ...user, ...question }) });
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/nodes/users.yaml');
  });

  test('requests', async () => {
    const headers = { 'impersonate-user': 'system:node:one', 'impersonate-group': 'system:nodes' };
    const found: Record<string, unknown> = {};
    for (const path of [
      '/api/v1/pods',
      '/api/v1/pods?fieldSelector=spec.nodeName%3Done',
      '/api/v1/pods?fieldSelector=spec.nodeName%3Done&labelSelector=none&watch=1&timeoutSeconds=1',
      '/api/v1/watch/pods?fieldSelector=spec.nodeName%3Done&labelSelector=none&timeoutSeconds=1',
      '/api/v1/pods?fieldSelector=spec.nodeName%3Dtwo',
      '/api/v1/pods?fieldSelector=spec.nodeName!%3Done',
      '/api/v1/pods?fieldSelector=spec.nodeName%3Done,bad',
      '/api/v1/namespaces/node-a/pods?fieldSelector=spec.nodeName%3Done,status.phase%3DRunning',
      '/api/v1/nodes',
      '/api/v1/nodes/one',
      '/api/v1/nodes/two',
      '/api/v1/nodes?fieldSelector=metadata.name%3Done',
      '/api/v1/nodes?fieldSelector=metadata.name%3Dtwo',
      '/api/v1/services',
      '/apis/storage.k8s.io/v1/volumeattachments/attached-one',
      '/apis/storage.k8s.io/v1/volumeattachments/attached-two',
    ]) {
      const answer = await server.session.send('GET', path, { headers });
      found[path] = answer.code === 403 ? refusal(answer) : answer.code;
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/nodes/requests.yaml');
  });

  test('the rules of a node are not complete', async () => {
    const headers = { 'impersonate-user': 'system:node:one', 'impersonate-group': 'system:nodes' };
    await bindMissingRole(server.session);
    const found: Record<string, unknown> = {};
    for (const [title, names] of [
      ['node', headers],
      ['node with a role that does not exist', { ...headers, 'impersonate-user': 'system:node:lost' }],
      ['user with a role that does not exist', { 'impersonate-user': 'lost' }],
      ['user', { 'impersonate-user': 'jane' }],
    ] as const) {
      const { body } = await server.session.send(
        'POST',
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        { headers: names, body: { spec: { namespace: 'default' } } },
      );
      const { incomplete, evaluationError, resourceRules } = body.status;
      found[title] = { incomplete, evaluationError, resourceRules };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/nodes/rules.yaml');
  });

  test('an update of a pod and of a volume counts', async () => {
    const { session } = server;
    const pods = '/api/v1/namespaces/default/pods';
    const question = (resource: string, name: string, namespace = 'default') => ({
      ...userOf('late'),
      resourceAttributes: { verb: 'get', resource, name, namespace },
    });
    const isAllowed = async (...parts: Parameters<typeof question>) =>
      (await ask(question(...parts))).allowed;
    await create(session, pods, {
      metadata: { name: 'late' },
      spec: {
        containers: [{ name: 'a', image: 'a', envFrom: [{ secretRef: { name: 'late' } }] }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'late' } }],
      },
    });
    expect(await isAllowed('secrets', 'late')).toBe(false);
    const target = { apiVersion: 'v1', kind: 'Node', name: 'late' };
    await create(session, `${pods}/late/binding`, { metadata: { name: 'late' }, target });
    await until(() => isAllowed('secrets', 'late'));
    await create(session, '/api/v1/persistentvolumes', {
      metadata: { name: 'late' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        azureFile: { secretName: 'late-volume', shareName: 's' },
      },
    });
    expect(await isAllowed('secrets', 'late-volume')).toBe(false);
    await session.merge('/api/v1/persistentvolumes/late', {
      spec: { claimRef: { namespace: 'default', name: 'late' } },
    });
    await until(() => isAllowed('secrets', 'late-volume'));
    expect(await isAllowed('persistentvolumes', 'late', '')).toBe(true);
    await session.delete(`${pods}/late?gracePeriodSeconds=0`);
    await until(async () => !(await isAllowed('secrets', 'late')));
    await until(async () => !(await isAllowed('secrets', 'late-volume')));
  });
});
