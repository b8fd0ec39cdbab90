import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import { WebhookServer, patchedBy } from '../../support/webhook-server.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const rbac = `/apis/${apiGroup}/v1`;
const namespaced = `${rbac}/namespaces/default`;
const writer = { 'impersonate-user': 'writer', 'impersonate-group': 'writers' };

const rule = (verb: string, resource: string) => ({ verbs: [verb], apiGroups: [''], resources: [resource] });
const held = rule('get', 'pods');
const larger = rule('delete', 'secrets');
const subjects = [{ kind: 'User', apiGroup, name: 'joe' }];
const refTo = (name: string, kind = 'ClusterRole') => ({ apiGroup, kind, name });

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];
const add = (path: string, value: unknown) => [{ op: 'add', path, value }];

/** A write of a role or binding, and what the webhook does to it. */
type Write = readonly [method: string, path: string, body: object, patch: object[]];

const role = (rules: object[]) => ({ metadata: { name: 'new' }, rules });
const binding = (name: string) => ({ metadata: { name: 'new' }, roleRef: refTo(name), subjects });

const writes: Record<string, Write> = {
  'a role that the webhook leaves': ['POST', `${namespaced}/roles`, role([held]), []],
  'a larger role that the webhook leaves': ['POST', `${namespaced}/roles`, role([larger]), []],
  'a role that the webhook extends': ['POST', `${namespaced}/roles`, role([held]), add('/rules/-', larger)],
  'a role that the webhook extends by what is held': [
    'POST',
    `${namespaced}/roles`,
    role([]),
    add('/rules', [held]),
  ],
  'a larger role that the webhook reduces': [
    'POST',
    `${namespaced}/roles`,
    role([held, larger]),
    [{ op: 'remove', path: '/rules/1' }],
  ],
  'a role that the webhook makes invalid and larger': [
    'POST',
    `${namespaced}/roles`,
    role([held]),
    add('/rules', [larger, { verbs: [] }]),
  ],
  'a role that gets a label': [
    'POST',
    `${namespaced}/roles`,
    role([held]),
    add('/metadata/labels', { a: 'b' }),
  ],
  'a cluster role that the webhook extends': [
    'POST',
    `${rbac}/clusterroles`,
    role([held]),
    add('/rules/-', larger),
  ],
  'a cluster role that the webhook lets aggregate': [
    'POST',
    `${rbac}/clusterroles`,
    role([held]),
    add('/aggregationRule', { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }),
  ],
  'an update that the webhook extends': [
    'PUT',
    `${namespaced}/roles/existing`,
    { ...role([held]), metadata: { name: 'existing', labels: { a: 'b' } } },
    add('/rules/-', larger),
  ],
  'an update that the webhook reduces': [
    'PUT',
    `${namespaced}/roles/existing`,
    { ...role([held, larger]), metadata: { name: 'existing' } },
    replace('/rules', [held]),
  ],
  'a patch that the webhook extends': [
    'PATCH',
    `${namespaced}/roles/existing`,
    { metadata: { labels: { a: 'b' } } },
    add('/rules/-', larger),
  ],
  'a label of a larger role': [
    'PATCH',
    `${namespaced}/roles/larger`,
    { metadata: { labels: { a: 'b' } } },
    [],
  ],
  'a label of a larger role that the webhook extends': [
    'PATCH',
    `${namespaced}/roles/larger`,
    { metadata: { labels: { a: 'b' } } },
    add('/rules/-', rule('watch', 'nodes')),
  ],
  'a binding that the webhook leaves': ['POST', `${namespaced}/rolebindings`, binding('writer'), []],
  'a binding that the webhook turns to a larger role': [
    'POST',
    `${namespaced}/rolebindings`,
    binding('writer'),
    replace('/roleRef/name', 'cluster-admin'),
  ],
  'a binding that the webhook turns to a smaller role': [
    'POST',
    `${namespaced}/rolebindings`,
    binding('cluster-admin'),
    replace('/roleRef/name', 'writer'),
  ],
  'a binding that the webhook turns to a missing role': [
    'POST',
    `${namespaced}/rolebindings`,
    binding('writer'),
    replace('/roleRef', refTo('missing', 'Role')),
  ],
  'a binding with a subject of the webhook': [
    'POST',
    `${namespaced}/rolebindings`,
    binding('writer'),
    add('/subjects/-', { kind: 'User', apiGroup, name: 'ann' }),
  ],
  'a cluster binding that the webhook turns to a larger role': [
    'POST',
    `${rbac}/clusterrolebindings`,
    binding('writer'),
    replace('/roleRef/name', 'cluster-admin'),
  ],
  'a patch that adds a subject of the webhook': [
    'PATCH',
    `${namespaced}/rolebindings/larger`,
    { metadata: { labels: { a: 'b' } } },
    add('/subjects/-', { kind: 'User', apiGroup, name: 'ann' }),
  ],
  'a label of a larger binding': [
    'PATCH',
    `${namespaced}/rolebindings/larger`,
    { metadata: { labels: { a: 'b' } } },
    [],
  ],
  'a role of a patch that the webhook turns': [
    'PATCH',
    `${namespaced}/rolebindings/larger`,
    { metadata: { labels: { a: 'b' } } },
    replace('/roleRef/name', 'writer'),
  ],
};

onEachServer('roles and bindings that webhooks change', (server) => {
  let webhooks: WebhookServer;
  let patch: object[] = [];

  beforeAll(async () => {
    const { session } = server;
    webhooks = await WebhookServer.start();
    webhooks.handle('/mutating', () => patched());
    const granted = [
      { verbs: ['create', 'update', 'patch', 'get'], apiGroups: [apiGroup], resources: ['*'] },
      held,
    ];
    const subjectsOfWriter = [{ kind: 'User', apiGroup, name: 'writer' }];
    const objects: [string, object][] = [
      [`${rbac}/clusterroles`, { metadata: { name: 'writer' }, rules: granted }],
      [
        `${rbac}/clusterrolebindings`,
        { metadata: { name: 'writer' }, roleRef: refTo('writer'), subjects: subjectsOfWriter },
      ],
      [`${namespaced}/roles`, { metadata: { name: 'existing' }, rules: [held] }],
      [`${namespaced}/roles`, { metadata: { name: 'larger' }, rules: [larger] }],
      [
        `${namespaced}/rolebindings`,
        { metadata: { name: 'larger' }, roleRef: refTo('cluster-admin'), subjects },
      ],
    ];
    for (const [path, object] of objects) {
      const { code, body } = await session.post(path, object);
      if (code !== 201) throw new Error(JSON.stringify(body));
    }
    // A real server sees new roles and bindings a little later.
    const pod = '/api/v1/namespaces/default/pods/missing';
    await until(async () => (await session.send('GET', pod, { headers: writer })).code === 404);
    for (const type of ['Mutating', 'Validating'] as const) {
      const path = `/${type.toLowerCase()}`;
      const rules = [{ operations: ['*'], apiGroups: [apiGroup], apiVersions: ['*'], resources: ['*'] }];
      const webhook = webhookOf('roles', webhooks.clientConfig(path), { rules });
      await configureWebhooks(session, type, { name: 'roles', webhooks: [webhook] }, async () => {
        await session.post(`${namespaced}/roles?dryRun=All`, role([]));
        return webhooks.takeCalls().some((call) => call.path === path);
      });
    }
  });
  afterAll(() => webhooks.close());

  const patched = (): object => (patch.length > 0 ? patchedBy(patch) : {});

  test('grant no more than the writer has after the change', async () => {
    const found: Record<string, unknown> = {};
    for (const [title, [method, path, body, change]] of Object.entries(writes)) {
      patch = change;
      webhooks.takeCalls();
      const answer = await server.session.send(method, `${path}?dryRun=All`, {
        headers: writer,
        body,
        ...(method === 'PATCH' && { contentType: 'application/merge-patch+json' }),
      });
      const { rules, roleRef } = answer.body;
      const granted = JSON.stringify(rules ?? roleRef);
      found[title] = {
        outcome: answer.code < 400 ? { code: answer.code, granted } : refusal(answer),
        calls: webhooks.takeCalls().map((call) => call.path),
      };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/changed-roles.yaml');
  });
});
