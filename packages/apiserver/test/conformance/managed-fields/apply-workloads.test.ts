import { expect, test } from 'vitest';
import { ApplySession, type Step, ownersOf, ownership } from '../../support/apply-session.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const selector = { matchLabels: { app: 'x' } };
const web = { name: 'web', image: 'web:1' };

/** A Deployment to apply, with its required fields. */
function deployment(containers: unknown[], spec: object = {}, rest: object = {}): any {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {},
    spec: { selector, template: { metadata: { labels: { app: 'x' } }, spec: { containers } }, ...spec },
    ...rest,
  };
}

/** A part of a Deployment. */
function partial(spec: object, rest: object = {}): any {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec, ...rest };
}

function podSpec(spec: object): any {
  return partial({ template: { spec } });
}

function service(spec: object): any {
  return { apiVersion: 'v1', kind: 'Service', metadata: {}, spec };
}

type Story = (s: ApplySession, path: string) => Step[];

const stories: Record<string, { resource: string; parts: string[]; story: Story }> = {
  'a deployment and its image': {
    resource: 'deployments',
    parts: [],
    story: (s, path) => [
      s.apply('a', path, deployment([web], { replicas: 1 })),
      s.merge('up', path, { spec: { replicas: 3 } }),
      s.apply('a', path, deployment([web], { replicas: 1 })),
      s.apply('a', path, deployment([web])),
      s.apply('b', path, podSpec({ containers: [{ name: 'web', image: 'web:2' }] })),
      s.apply('b', path, podSpec({ containers: [{ name: 'web', image: 'web:2' }] }), 'force=true'),
    ],
  },
  'environment variables and ports': {
    resource: 'deployments',
    parts: [],
    story: (s, path) => [
      s.apply(
        'a',
        path,
        deployment([
          {
            ...web,
            env: [
              { name: 'A', value: '1' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'u' }],
          },
        ]),
      ),
      s.apply(
        'b',
        path,
        podSpec({
          containers: [
            {
              name: 'web',
              env: [
                { name: 'C', value: '3' },
                { name: 'A', value: '2' },
              ],
            },
          ],
        }),
      ),
      s.apply('b', path, podSpec({ containers: [{ name: 'web', env: [{ name: 'C', value: '3' }] }] })),
      s.apply(
        'b',
        path,
        podSpec({
          containers: [{ name: 'web', ports: [{ containerPort: 80, protocol: 'TCP', name: 't' }] }],
        }),
      ),
      s.apply('a', path, deployment([{ ...web, ports: [{ containerPort: 80 }] }])),
    ],
  },
  'a second container': {
    resource: 'deployments',
    parts: [],
    story: (s, path) => [
      s.apply('a', path, deployment([web])),
      s.apply(
        'b',
        path,
        podSpec({ containers: [{ name: 'side', image: 'side:1' }], volumes: [{ name: 'v', emptyDir: {} }] }),
      ),
      s.apply('a', path, deployment([web], { paused: true })),
      s.apply('b', path, podSpec({ containers: [] })),
      s.apply('b', path, partial({})),
    ],
  },
  'quantities and numbers or texts': {
    resource: 'deployments',
    parts: [],
    story: (s, path) => [
      s.apply(
        'a',
        path,
        deployment([{ ...web, resources: { limits: { cpu: '1', memory: '1Gi' } } }], {
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
        }),
      ),
      s.apply(
        'b',
        path,
        podSpec({ containers: [{ name: 'web', resources: { limits: { memory: '2Gi' } } }] }),
      ),
      s.apply('b', path, podSpec({ containers: [{ name: 'web', resources: { requests: { cpu: '1' } } }] })),
    ],
  },
  'atomic parts of a pod': {
    resource: 'deployments',
    parts: [],
    story: (s, path) => [
      s.apply('a', path, {
        ...deployment([{ ...web, args: ['x', 'y'] }]),
        spec: { ...deployment([{ ...web, args: ['x', 'y'] }]).spec },
      }),
      s.apply('b', path, podSpec({ containers: [{ name: 'web', args: ['y'] }], nodeSelector: { n: '1' } })),
      s.apply(
        'b',
        path,
        podSpec({ nodeSelector: { n: '1' }, tolerations: [{ key: 'k', operator: 'Exists' }] }),
      ),
      s.apply('c', path, podSpec({ tolerations: [{ key: 'l', operator: 'Exists' }] })),
      s.apply(
        'c',
        path,
        podSpec({
          imagePullSecrets: [{ name: 's' }],
          topologySpreadConstraints: [{ topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule', maxSkew: 1 }],
        }),
      ),
    ],
  },
  'deployments that do not fit': {
    resource: 'deployments',
    parts: [],
    story: (s, path) => [
      s.apply('a', path, partial({ nope: 1 })),
      s.apply('a', path, partial({ replicas: '1' })),
      s.apply('a', path, partial({ paused: 'x' })),
      s.apply('a', path, podSpec({ containers: [{ name: 'a' }, { name: 'a' }] })),
      s.apply('a', path, podSpec({ containers: [{ name: 'a', nope: true }] })),
      s.apply('a', path, podSpec({ containers: { name: 'a' } })),
      s.apply('a', path, podSpec({ containers: [{ name: 'a', env: [{ value: 'x' }, { value: 'y' }] }] })),
      s.apply(
        'a',
        path,
        podSpec({ containers: [{ name: 'a', ports: [{ protocol: 'TCP' }, { protocol: 'TCP' }] }] }),
      ),
      s.apply('a', path, podSpec({ containers: [{ name: 'a', resources: { limits: { cpu: {} } } }] })),
      s.apply('a', path, partial({ selector: { matchLabels: [] } })),
      s.apply('a', path, { ...partial({}), status: { nope: 1 } }),
    ],
  },
  'the status of a deployment': {
    resource: 'deployments',
    parts: ['status.replicas', 'status.observedGeneration'],
    story: (s, path) => [
      s.apply('a', path, deployment([web], {}, { status: { replicas: 9 } })),
      s.apply(
        'ctl',
        `${path}/status`,
        partial(
          { replicas: 7 },
          {
            metadata: { labels: { l: '1' }, annotations: { x: '1' } },
            status: {
              replicas: 1,
              observedGeneration: 1,
              conditions: [{ type: 'Available', status: 'True' }],
            },
          },
        ),
      ),
      s.merge('up', `${path}/status`, { status: { observedGeneration: 2 } }),
      s.apply('ctl', `${path}/status`, { ...partial({}), status: { replicas: 1, observedGeneration: 1 } }),
      s.apply('ctl', `${path}-absent/status`, { ...partial({}), status: {} }),
    ],
  },
  'the ports of a service': {
    resource: 'services',
    parts: [],
    story: (s, path) => [
      s.apply(
        'a',
        path,
        service({
          selector: { app: 'x' },
          ports: [
            { port: 80, name: 'a' },
            { port: 80, protocol: 'UDP', name: 'b' },
          ],
        }),
      ),
      s.apply('b', path, service({ ports: [{ port: 443, name: 'c', targetPort: 'https' }] })),
      s.apply('b', path, service({ selector: { app: 'y' } })),
      s.apply('b', path, service({ ports: [{ port: 80, protocol: 'TCP', name: 'z' }] })),
      s.apply('b', path, service({})),
    ],
  },
  'a secret': {
    resource: 'secrets',
    parts: ['type', 'data'],
    story: (s, path) => [
      s.apply('a', path, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {},
        type: 'Opaque',
        data: { x: 'MQ==' },
      }),
      s.apply('b', path, { apiVersion: 'v1', kind: 'Secret', metadata: {}, data: { y: 'Mg==' } }),
      s.merge('up', path, { data: { x: 'Mg==' } }),
    ],
  },
  'a service account': {
    resource: 'serviceaccounts',
    parts: ['secrets', 'imagePullSecrets'],
    story: (s, path) => [
      s.apply('a', path, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {},
        imagePullSecrets: [{ name: 'x' }],
        secrets: [{ name: 's' }],
      }),
      s.apply('b', path, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {},
        imagePullSecrets: [{ name: 'y' }],
        secrets: [{ name: 't' }],
      }),
    ],
  },
  'a role': {
    resource: 'roles',
    parts: ['rules'],
    story: (s, path) => [
      s.apply('a', path, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: {},
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
      s.apply('b', path, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { labels: { l: '1' } },
        rules: [],
      }),
      s.merge('up', path, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] }),
    ],
  },
};

const folders: Record<string, string> = {
  deployments: '/apis/apps/v1',
  roles: '/apis/rbac.authorization.k8s.io/v1',
};

onEachServer('applying built-in kinds', (server) => {
  test.each(Object.entries(stories))('%s', async (title, { resource, parts, story }) => {
    const name = title.replaceAll(/[^a-z]+/g, '-');
    const path = `${folders[resource] ?? '/api/v1'}/namespaces/default/${resource}/${name}`;
    const outcomes = [];
    for (const step of story(new ApplySession(server.session), path))
      outcomes.push(ownership(await step(), ...parts));
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/apply-workloads/${name}.yaml`);
  });

  test('the creator of a namespace owns the label with its name', async () => {
    const { body } = await server.session.post('/api/v1/namespaces?fieldManager=up', {
      metadata: { name: 'owned' },
    });
    expect(ownersOf(body)).toStrictEqual({
      'up Update v1 - timed FieldsV1': {
        text: '{"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}',
      },
    });
  });
});
