import { expect, test } from 'vitest';
import { audited } from '../../support/audited.ts';
import { configMaps, crdOf, installCrd, objectOf, pathOf, until, versionOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { Session } from '../../support/session.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const endpoints = '/api/v1/namespaces/default/endpoints';
const account = '/api/v1/namespaces/default/serviceaccounts/operator';
const jane = { 'impersonate-user': 'jane' };
const masters = { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' };

/** Who sends requests. */
interface Clients {
  readonly session: Session;
  /** A ServiceAccount without roles of its own. */
  readonly operator: Session;
  readonly forger: Session;
}

/** Requests whose annotations do not come from admission. */
const cases: Record<string, (clients: Clients) => Promise<unknown>> = {
  'an administrator': ({ session }) => session.get(configMaps),
  'an object that is missing': ({ session }) => session.get(`${configMaps}/missing`),
  'a resource that is not served': ({ session }) => session.get('/apis/example.com/v1/things'),
  'a path': ({ session }) => session.get('/version'),
  'a method that is not allowed': ({ session }) => session.post(`${configMaps}/one`, {}),
  'a dry run': ({ session }) => session.post(`${configMaps}?dryRun=All`, { metadata: { name: 'dry' } }),
  'a forbidden user': ({ session }) => session.send('GET', configMaps, { headers: jane }),
  'a user whom a role allows': ({ session }) =>
    session.send('GET', '/api/v1/namespaces/default/secrets', { headers: jane }),
  'a user whom a cluster role allows': ({ session }) =>
    session.send('GET', '/api/v1/nodes', { headers: jane }),
  'a path that everyone may read': ({ session }) => session.send('GET', '/api', { headers: jane }),
  'a forbidden path': ({ session }) => session.send('GET', '/metrics', { headers: jane }),
  'an impersonated administrator': ({ session }) => session.send('GET', configMaps, { headers: masters }),
  'a binding to a role that is missing': ({ session }) =>
    session.send('GET', '/api/v1/namespaces/default/pods', { headers: { 'impersonate-user': 'joe' } }),
  'a ServiceAccount': ({ operator }) => operator.get('/api'),
  'an impersonation that is not allowed': ({ operator }) =>
    operator.send('GET', configMaps, { headers: jane }),
  'an impersonation without a user': ({ session }) =>
    session.send('GET', configMaps, { headers: { 'impersonate-group': 'a' } }),
  'a timeout that cannot be read': ({ session }) => session.get(`${configMaps}?timeout=soon`),
  'a body that cannot be read': ({ session }) => session.send('POST', configMaps, { raw: '{' }),
  'an option that is not valid': ({ session }) => session.post(`${configMaps}?dryRun=Some`, {}),
  'a connection to a pod that is missing': ({ session }) =>
    session.post('/api/v1/namespaces/default/pods/missing/exec?command=ls', {}),
  'an access review': ({ session }) =>
    session.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: { nonResourceAttributes: {} },
    }),
  'an invalid token': ({ forger }) => forger.get(configMaps),
  'a node that may not': ({ session }) =>
    session.send('GET', '/api/v1/namespaces/default/secrets/s', {
      headers: { 'impersonate-user': 'system:node:a', 'impersonate-group': 'system:nodes' },
    }),
  'a node that may': ({ session }) =>
    session.send('GET', '/api/v1/nodes/a', {
      headers: { 'impersonate-user': 'system:node:a', 'impersonate-group': 'system:nodes' },
    }),
  'a token of a ServiceAccount': ({ session }) => session.post(`${account}/token`, {}),
  'a token that is refused': ({ session }) =>
    session.post(`${account}/token`, { spec: { expirationSeconds: 1 } }),
  'a deprecated list': ({ session }) => session.get(endpoints),
  'a deprecated object that is missing': ({ session }) => session.get(`${endpoints}/missing`),
  'a deprecated create': ({ session }) =>
    session.post(`${endpoints}?dryRun=All`, { metadata: { name: 'e' } }),
  'a deprecated version that is forbidden': ({ session }) =>
    session.send('GET', endpoints, { headers: jane }),
  'a deprecated resource in a format that is not served': ({ session }) =>
    session.send('GET', endpoints, { accept: 'text/html' }),
  'a deprecated method that is not allowed': ({ session }) => session.put(endpoints, {}),
  'a deprecated watch': ({ session }) => session.get(`${endpoints}?watch=true&timeoutSeconds=1`),
  'a deprecated custom resource': ({ session }) =>
    session.post(`${pathOf('Aged', 'v1beta1')}?dryRun=All`, objectOf('Aged', 'a', {}, 'v1beta1')),
  'a version that is not deprecated': ({ session }) =>
    session.post(`${pathOf('Aged')}?dryRun=All`, objectOf('Aged', 'a', {})),
};

onEachServer('audit annotations of requests', { recordRequests: true }, (server) => {
  /** Lets a user list something, and waits until it may. */
  async function grant(
    user: string,
    kind: 'Role' | 'ClusterRole',
    resource: string,
    role = user,
  ): Promise<void> {
    const plural = `${kind.toLowerCase()}s`;
    const at = kind === 'Role' ? `${rbac}/namespaces/default` : rbac;
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: [resource] }];
    if (role === user) await server.session.post(`${at}/${plural}`, { metadata: { name: role }, rules });
    const binding = {
      metadata: { name: user },
      roleRef: { apiGroup, kind, name: role },
      subjects: [{ kind: 'User', apiGroup, name: user }],
    };
    expect((await server.session.post(`${at}/${plural.slice(0, -1)}bindings`, binding)).code).toBe(201);
  }

  test('all cases', async () => {
    const { session } = server;
    const aged = crdOf('Aged', {});
    const [version] = aged.spec.versions;
    aged.spec.versions = [version, { ...versionOf('v1beta1', false, {}), deprecated: true }];
    await installCrd(session, aged);
    await session.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'operator' } });
    await grant('jane', 'Role', 'secrets');
    await grant('joe', 'Role', 'pods', 'missing');
    await grant('jane', 'ClusterRole', 'nodes');
    // A real server learns of roles a moment later.
    await until(async () => (await session.send('GET', '/api/v1/nodes', { headers: jane })).code === 200);
    const operator = new Session(
      await server.environment.as({ serviceAccount: 'operator', namespace: 'default' }),
    );
    const forger = new Session({ ...server.environment.config, token: 'forged' });
    const found: Record<string, unknown> = {};
    for (const [title, ask] of Object.entries(cases))
      found[title] = await audited(server, () => ask({ session, operator, forger }));
    for (const client of [operator, forger]) client.close();
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/audit-annotations/requests.yaml');
  }, 60_000);
});
