import type { Sending } from '../../support/session.ts';

/** A request that webhooks see: title, method, path and what to send. */
export type ReviewStep = readonly [title: string, method: string, path: string, sending?: Sending];

const core = '/api/v1/namespaces/reviews';
const configMaps = `${core}/configmaps`;
const pods = `${core}/pods`;
const deployments = '/apis/apps/v1/namespaces/reviews/deployments';
const leases = '/apis/coordination.k8s.io/v1/namespaces/reviews/leases';
const reviewed = '/apis/conformance.example.com/v1/namespaces/reviews/revieweds';

const patchOf = (format: string, body: unknown): Sending => ({
  body,
  contentType: `application/${format}-patch+json`,
});
const applied = (body: unknown): Sending => ({ body, contentType: 'application/apply-patch+yaml' });
const named = (name: string, rest: object = {}) => ({ body: { metadata: { name }, ...rest } });

const containers = [{ name: 'c', image: 'i' }];
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const deployment = (name: string) => ({
  metadata: { name },
  spec: { selector: { matchLabels: { a: 'b' } }, template },
});
const custom = (name: string, spec: object) => ({
  apiVersion: 'conformance.example.com/v1',
  kind: 'Reviewed',
  metadata: { name },
  spec,
});
const scale = (name: string, replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'reviews' },
  spec: { replicas },
});
const pod = (name: string, metadata: object = {}, spec: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers, ...spec },
});

const systemFields = {
  uid: 'a',
  creationTimestamp: '2020-01-01T00:00:00Z',
  deletionTimestamp: '2020-01-01T00:00:00Z',
  deletionGracePeriodSeconds: 5,
  selfLink: '/a',
};

const impersonated = {
  'impersonate-user': 'jane',
  'impersonate-uid': 'one',
  'impersonate-group': 'system:masters',
  'impersonate-extra-scopes': 'a',
  'impersonate-extra-example.com%2fteam': 'b',
};

/** The steps of each file, which run in this order. */
export const reviewSteps: Record<string, readonly ReviewStep[]> = {
  creates: [
    ['a ConfigMap', 'POST', configMaps, named('one', { data: { a: 'b' } })],
    ['a ConfigMap with a generated name', 'POST', configMaps, { body: { metadata: { generateName: 'g-' } } }],
    ['a Deployment', 'POST', deployments, { body: deployment('one') }],
    ['a Pod', 'POST', pods, { body: pod('one') }],
    ['a custom resource', 'POST', reviewed, { body: custom('one', { a: 'x', replicas: 1 }) }],
    ['a Namespace', 'POST', '/api/v1/namespaces', named('reviewed')],
    [
      'a Namespace with a generated name',
      'POST',
      '/api/v1/namespaces?dryRun=All',
      { body: { metadata: { generateName: 'g-' } } },
    ],
    ['a ClusterRole', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', named('reviewed')],
    [
      'options',
      'POST',
      `${configMaps}?fieldManager=m&fieldValidation=Strict&dryRun=All&pretty=true`,
      named('dry'),
    ],
    [
      'system fields of the client',
      'POST',
      `${configMaps}?dryRun=All`,
      {
        body: {
          metadata: {
            name: 'system',
            uid: 'a',
            creationTimestamp: '2020-01-01T00:00:00Z',
            deletionTimestamp: '2020-01-01T00:00:00Z',
            generation: 5,
            selfLink: '/a',
          },
        },
      },
    ],
    ['a Secret', 'POST', `${core}/secrets`, named('one', { stringData: { a: 'b' } })],
    ['a Service', 'POST', `${core}/services`, named('one', { spec: { ports: [{ port: 80 }] } })],
    [
      'a Job',
      'POST',
      '/apis/batch/v1/namespaces/reviews/jobs',
      {
        body: {
          metadata: { name: 'one' },
          spec: { template: { spec: { containers, restartPolicy: 'Never' } } },
        },
      },
    ],
    ['an invalid ConfigMap', 'POST', configMaps, named('A')],
    ['an unreadable ConfigMap', 'POST', configMaps, { raw: '{' }],
    ['a ConfigMap that exists', 'POST', configMaps, named('one')],
    ['a ConfigMap in a missing namespace', 'POST', '/api/v1/namespaces/missing/configmaps', named('one')],
    [
      'a custom resource with an unknown field',
      'POST',
      `${reviewed}?dryRun=All`,
      {
        body: custom('unknown', { a: 'x', unknown: 1 }),
      },
    ],
    ['an invalid custom resource', 'POST', reviewed, { body: custom('invalid', { a: 5 }) }],
  ],
  updates: [
    ['PUT', 'PUT', `${configMaps}/one`, named('one', { data: { a: 'c' } })],
    ['PUT without a change', 'PUT', `${configMaps}/one`, named('one', { data: { a: 'c' } })],
    [
      'PUT with another version',
      'PUT',
      `${configMaps}/one`,
      {
        body: { metadata: { name: 'one', resourceVersion: '1' } },
      },
    ],
    ['PUT with another UID', 'PUT', `${configMaps}/one`, { body: { metadata: { name: 'one', uid: 'a' } } }],
    [
      'PUT with another UID as a dry run',
      'PUT',
      `${configMaps}/one?dryRun=All`,
      { body: { metadata: { name: 'one', uid: 'a' } } },
    ],
    ['PUT of another name', 'PUT', `${configMaps}/one`, named('two')],
    ['PUT of a missing object', 'PUT', `${configMaps}/missing`, named('missing')],
    ['PUT of an invalid object', 'PUT', `${configMaps}/one`, named('one', { data: { '!': 'c' } })],
    ['merge patch', 'PATCH', `${configMaps}/one`, patchOf('merge', { data: { b: 'x' } })],
    ['merge patch of nothing', 'PATCH', `${configMaps}/one`, patchOf('merge', {})],
    ['JSON patch', 'PATCH', `${configMaps}/one`, patchOf('json', [{ op: 'remove', path: '/data/b' }])],
    [
      'strategic merge patch',
      'PATCH',
      `${deployments}/one`,
      patchOf('strategic-merge', {
        spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } },
      }),
    ],
    ['patch of a missing object', 'PATCH', `${configMaps}/missing`, patchOf('merge', { data: { b: 'x' } })],
    [
      'apply that creates',
      'PATCH',
      `${configMaps}/applied?fieldManager=m`,
      applied({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'applied' },
        data: { a: 'b' },
      }),
    ],
    [
      'apply that updates',
      'PATCH',
      `${configMaps}/applied?fieldManager=m&force=true`,
      applied({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'applied' },
        data: { a: 'c' },
      }),
    ],
    [
      'apply of a custom resource that creates',
      'PATCH',
      `${reviewed}/applied?fieldManager=m`,
      applied(custom('applied', { a: 'y' })),
    ],
    [
      'PUT that creates',
      'PUT',
      `${leases}/one`,
      {
        body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'one' } },
      },
    ],
    [
      'dry run',
      'PATCH',
      `${configMaps}/one?dryRun=All&fieldManager=m`,
      patchOf('merge', { data: { c: 'x' } }),
    ],
    ['PUT of a custom resource by merge', 'PATCH', `${reviewed}/one`, patchOf('merge', { spec: { a: 'z' } })],
    [
      'a label of a Namespace',
      'PATCH',
      '/api/v1/namespaces/reviewed',
      patchOf('merge', {
        metadata: { labels: { a: 'b' } },
      }),
    ],
  ],
  subresources: [
    [
      'status of a Deployment',
      'PATCH',
      `${deployments}/one/status`,
      patchOf('merge', {
        status: { observedGeneration: 1 },
      }),
    ],
    [
      'PUT of a status',
      'PUT',
      `${pods}/one/status`,
      { body: { ...pod('one'), status: { phase: 'Running' } } },
    ],
    [
      'status of a custom resource',
      'PATCH',
      `${reviewed}/one/status`,
      patchOf('merge', {
        status: { ready: true },
      }),
    ],
    [
      'apply of a status',
      'PATCH',
      `${reviewed}/one/status?fieldManager=m`,
      applied({
        apiVersion: 'conformance.example.com/v1',
        kind: 'Reviewed',
        metadata: { name: 'one' },
        status: { ready: false },
      }),
    ],
    ['PUT of a scale', 'PUT', `${deployments}/one/scale`, { body: scale('one', 2) }],
    ['patch of a scale', 'PATCH', `${deployments}/one/scale`, patchOf('merge', { spec: { replicas: 3 } })],
    ['scale of a custom resource', 'PUT', `${reviewed}/one/scale`, { body: scale('one', 2) }],
    [
      'patch of a scale of a custom resource',
      'PATCH',
      `${reviewed}/one/scale`,
      patchOf('merge', {
        spec: { replicas: 3 },
      }),
    ],
    [
      'ephemeral containers',
      'PATCH',
      `${pods}/one/ephemeralcontainers`,
      patchOf('strategic-merge', {
        spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] },
      }),
    ],
    [
      'finalize',
      'PUT',
      '/api/v1/namespaces/reviewed/finalize',
      named('reviewed', { spec: { finalizers: ['kubernetes'] } }),
    ],
    [
      'binding',
      'POST',
      `${pods}/one/binding`,
      {
        body: { metadata: { name: 'one' }, target: { kind: 'Node', name: 'n' } },
      },
    ],
    [
      'a Binding',
      'POST',
      `${core}/bindings?dryRun=All`,
      {
        body: { metadata: { name: 'unbound' }, target: { kind: 'Node', name: 'n' } },
      },
    ],
    [
      'TokenRequest',
      'POST',
      `${core}/serviceaccounts/robot/token`,
      {
        body: { spec: { audiences: ['a'], expirationSeconds: 600 } },
      },
    ],
    ['TokenRequest with defaults', 'POST', `${core}/serviceaccounts/robot/token`, { body: {} }],
    ['TokenRequest of nothing', 'POST', `${core}/serviceaccounts/robot/token`, { body: { spec: null } }],
    [
      'TokenRequest with another UID',
      'POST',
      `${core}/serviceaccounts/robot/token`,
      { body: { metadata: { ...systemFields, name: 'robot' } } },
    ],
    [
      'TokenRequest with times',
      'POST',
      `${core}/serviceaccounts/robot/token`,
      { body: { metadata: { ...systemFields, uid: '' }, status: { token: 'a' } } },
    ],
    [
      'TokenRequest of another account',
      'POST',
      `${core}/serviceaccounts/robot/token`,
      { body: { metadata: { name: 'other' } } },
    ],
    [
      'TokenRequest in another namespace',
      'POST',
      `${core}/serviceaccounts/robot/token`,
      { body: { metadata: { namespace: 'default' } } },
    ],
    [
      'TokenRequest of a short time',
      'POST',
      `${core}/serviceaccounts/robot/token`,
      { body: { spec: { expirationSeconds: 0 } } },
    ],
    ['TokenRequest of a missing account', 'POST', `${core}/serviceaccounts/missing/token`, { body: {} }],
    [
      'binding with system fields',
      'POST',
      `${pods}/unbound/binding?dryRun=All`,
      { body: { metadata: { ...systemFields, name: 'unbound' }, target: { name: 'n' } } },
    ],
    [
      'a Binding with system fields',
      'POST',
      `${core}/bindings?dryRun=All`,
      { body: { metadata: { ...systemFields, name: 'unbound' }, target: { name: 'n' } } },
    ],
    [
      'scale with system fields',
      'PUT',
      `${deployments}/one/scale`,
      { body: { metadata: { ...systemFields, uid: '', name: 'one' }, spec: {}, status: { replicas: 5 } } },
    ],
    ['a scale without a spec', 'PUT', `${reviewed}/one/scale`, { body: { metadata: { name: 'one' } } }],
    [
      'ephemeral containers with defaults',
      'PATCH',
      `${pods}/unbound/ephemeralcontainers`,
      patchOf('merge', {
        metadata: { labels: { a: 'b' } },
        spec: { ephemeralContainers: [{ name: 'e', image: 'i:latest', livenessProbe: null }] },
      }),
    ],
    [
      'resize',
      'PATCH',
      `${pods}/unbound/resize`,
      patchOf('merge', { spec: { containers: [{ name: 'c', image: 'i', resources: {} }] } }),
    ],
    [
      'approval',
      'PUT',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests/missing/approval',
      named('missing'),
    ],
  ],
  answers: [
    [
      'SubjectAccessReview',
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      {
        body: { spec: { user: 'jane', nonResourceAttributes: { verb: 'get', path: '/' } } },
      },
    ],
    [
      'LocalSubjectAccessReview',
      'POST',
      '/apis/authorization.k8s.io/v1/namespaces/reviews/localsubjectaccessreviews',
      {
        body: {
          spec: { user: 'jane', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'reviews' } },
        },
      },
    ],
    [
      'TokenReview',
      'POST',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      { body: { spec: { token: 'a' } } },
    ],
    ['SelfSubjectReview', 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: {} }],
    [
      'eviction as a dry run',
      'POST',
      `${pods}/one/eviction?dryRun=All`,
      { body: { metadata: { name: 'one' } } },
    ],
    [
      'eviction with system fields',
      'POST',
      `${pods}/evicted/eviction?dryRun=All`,
      { body: { metadata: { ...systemFields, name: 'evicted' }, deleteOptions: {} } },
    ],
    ['eviction of nothing', 'POST', `${pods}/evicted/eviction?dryRun=All`, { body: {} }],
    [
      'eviction',
      'POST',
      `${pods}/evicted/eviction`,
      {
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: 'evicted' },
          deleteOptions: { gracePeriodSeconds: 3 },
        },
      },
    ],
    [
      'eviction in v1beta1',
      'POST',
      `${pods}/missing/eviction`,
      {
        body: { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'missing' } },
      },
    ],
  ],
  connections: [
    ['exec', 'POST', `${pods}/one/exec?command=a&command=b&container=c&stdin=true&stdout=1&tty=false`],
    ['exec by GET', 'GET', `${pods}/one/exec?command=a`],
    ['attach', 'POST', `${pods}/one/attach?stdin=true&stderr=true`],
    ['portforward', 'POST', `${pods}/one/portforward?ports=80&ports=81`],
    ['portforward without ports', 'GET', `${pods}/one/portforward`],
    ['proxy of a pod', 'GET', `${pods}/unbound/proxy`],
    ['proxy of a pod with a path', 'PUT', `${pods}/unbound/proxy/a/b?c=d`],
    ['proxy of a service', 'GET', `${core}/services/http:one:80/proxy/a`],
    ['proxy of a node', 'DELETE', '/api/v1/nodes/missing/proxy/a'],
    ['log', 'GET', `${pods}/unbound/log`],
    ['GET', 'GET', `${pods}/unbound`],
  ],
  users: [
    ['impersonation', 'POST', `${configMaps}?dryRun=All`, { ...named('by-jane'), headers: impersonated }],
    [
      'a service account',
      'POST',
      `${configMaps}?dryRun=All`,
      {
        ...named('by-robot'),
        headers: {
          'impersonate-user': 'system:serviceaccount:reviews:robot',
          'impersonate-group': 'system:masters',
        },
      },
    ],
  ],
  deletions: [
    ['dry run', 'DELETE', `${configMaps}/one?dryRun=All`],
    [
      'options in the query',
      'DELETE',
      `${configMaps}/one?dryRun=All&gracePeriodSeconds=5&propagationPolicy=Orphan`,
    ],
    [
      'options in the body',
      'DELETE',
      `${configMaps}/one`,
      {
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          gracePeriodSeconds: 7,
          propagationPolicy: 'Foreground',
          dryRun: ['All'],
        },
      },
    ],
    [
      'orphans',
      'DELETE',
      `${configMaps}/one?dryRun=All`,
      { body: { orphanDependents: false, dryRun: ['All'] } },
    ],
    [
      'other preconditions',
      'DELETE',
      `${configMaps}/one`,
      {
        body: { preconditions: { uid: 'a', resourceVersion: '1' } },
      },
    ],
    ['a missing object', 'DELETE', `${configMaps}/missing`],
    ['an object with finalizers', 'DELETE', `${configMaps}/finalized`],
    ['an object with finalizers again', 'DELETE', `${configMaps}/finalized`],
    [
      'the last finalizer',
      'PATCH',
      `${configMaps}/finalized`,
      patchOf('merge', { metadata: { finalizers: null } }),
    ],
    ['an object', 'DELETE', `${configMaps}/applied`],
    ['a bound pod', 'DELETE', `${pods}/one`],
    ['a terminating pod', 'DELETE', `${pods}/one`],
    ['a terminating pod with less grace', 'DELETE', `${pods}/one?gracePeriodSeconds=2`],
    ['a terminating pod without grace', 'DELETE', `${pods}/one?gracePeriodSeconds=0`],
    ['an unbound pod', 'DELETE', `${pods}/unbound`],
    ['a custom resource', 'DELETE', `${reviewed}/one?propagationPolicy=Background`],
    ['a protected Namespace', 'DELETE', '/api/v1/namespaces/default'],
    ['a Namespace', 'DELETE', '/api/v1/namespaces/reviewed'],
    ['a collection', 'DELETE', `${configMaps}?labelSelector=many`],
    ['an empty collection', 'DELETE', `${configMaps}?labelSelector=many`],
    [
      'a collection of custom resources as a dry run',
      'DELETE',
      `${reviewed}?dryRun=All`,
      {
        body: { gracePeriodSeconds: 4 },
      },
    ],
  ],
};

/** Objects that exist before the webhooks: collection path and object. */
export const reviewedObjects: readonly (readonly [path: string, object: object])[] = [
  ['/api/v1/namespaces', { metadata: { name: 'reviews' } }],
  [`${core}/serviceaccounts`, { metadata: { name: 'robot' } }],
  [pods, pod('unbound')],
  [pods, pod('evicted')],
  [configMaps, { metadata: { name: 'finalized', finalizers: ['a.b/c'] } }],
  [configMaps, { metadata: { name: 'many-1', labels: { many: '' } } }],
  [configMaps, { metadata: { name: 'many-2', labels: { many: '' } } }],
];
