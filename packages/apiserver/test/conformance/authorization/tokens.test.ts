import { TestEnvironment } from 'ots-testing';
import { beforeAll, expect, test } from 'vitest';
import { sorted } from '../../support/apply-session.ts';
import { until } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { type Answer, Session } from '../../support/session.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const secrets = '/api/v1/namespaces/default/secrets';
const pods = '/api/v1/namespaces/default/pods';
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Names of servers, UIDs and times, which differ. */
function masked(value: unknown): unknown {
  const text = JSON.stringify(normalize(value))
    .replaceAll(/https:\/\/[\w.]+/g, '<issuer>')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<uid>')
    .replaceAll(/"(exp|iat|nbf)":\d+/g, '"$1":0')
    .replaceAll(/"expirationTimestamp":"[^"]*"/g, '"expirationTimestamp":"<time>"')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<token>');
  return sorted(JSON.parse(text));
}

const pod = (name: string, spec: object) => ({
  metadata: { name },
  spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
});
const bound = (kind: string, name: string, rest: object = {}) => ({
  spec: { boundObjectRef: { kind, apiVersion: 'v1', name, ...rest } },
});

const requests: Record<string, readonly [path: string, body: unknown]> = {
  'no wishes': [`${accounts}/robot/token`, {}],
  'audiences and a time': [
    `${accounts}/robot/token`,
    { spec: { audiences: ['a', 'b'], expirationSeconds: 600 } },
  ],
  'no audiences': [`${accounts}/robot/token`, { spec: { audiences: [] } }],
  'an hour and seven seconds': [`${accounts}/robot/token`, { spec: { expirationSeconds: 3607 } }],
  'too short': [`${accounts}/robot/token`, { spec: { expirationSeconds: 599 } }],
  'too long': [`${accounts}/robot/token`, { spec: { expirationSeconds: 4294967297 } }],
  'the name': [`${accounts}/robot/token`, { metadata: { name: 'robot', labels: { a: 'b' } } }],
  'another name': [`${accounts}/robot/token`, { metadata: { name: 'x' } }],
  'another namespace': [`${accounts}/robot/token`, { metadata: { namespace: 'x' } }],
  'no account': [`${accounts}/missing/token`, { spec: { expirationSeconds: 1 } }],
  'no namespace': ['/api/v1/namespaces/missing/serviceaccounts/a/token', {}],
  'a type error': [`${accounts}/robot/token`, { spec: { audiences: 3 } }],
  'another kind': [`${accounts}/robot/token`, { kind: 'Pod', apiVersion: 'v1' }],
  'a dry run': [`${accounts}/robot/token?dryRun=All`, {}],
  'a Secret': [`${accounts}/robot/token`, bound('Secret', 'secret')],
  'a Secret with another UID': [`${accounts}/robot/token`, bound('Secret', 'secret', { uid: 'x' })],
  'no Secret': [`${accounts}/robot/token`, bound('Secret', 'missing')],
  'a pod': [`${accounts}/robot/token`, bound('Pod', 'pod')],
  'a pod without a node': [`${accounts}/robot/token`, bound('Pod', 'waiting')],
  'a pod of another account': [`${accounts}/robot/token`, bound('Pod', 'other')],
  'no pod': [`${accounts}/robot/token`, bound('Pod', 'missing')],
  'a node': [`${accounts}/robot/token`, bound('Node', 'node')],
  'no node': [`${accounts}/robot/token`, bound('Node', 'missing')],
  'an unknown kind': [`${accounts}/robot/token`, bound('ConfigMap', 'a')],
  'an unknown group': [`${accounts}/robot/token`, bound('Pod', 'pod', { apiVersion: 'apps/v1' })],
};

onEachServer('tokens of ServiceAccounts', (server) => {
  const post = (path: string, body: unknown) => server.session.post(path, body);
  /** Sends a request with a token instead of the administrator's. */
  const sendAs = async (token: string, method: string, path: string, body?: unknown): Promise<Answer> => {
    const session = new Session({ ...server.environment.config, token });
    const answer = await session.send(method, path, { ...(body !== undefined && { body }) });
    session.close();
    return answer;
  };
  const tokenFor = async (name: string, body: object = {}): Promise<string> =>
    (await post(`${accounts}/${name}/token`, body)).body.status.token;
  const review = async (token: string, audiences?: string[]): Promise<any> =>
    (await post(reviews, { spec: { token, ...(audiences && { audiences }) } })).body.status;

  /** What the server says of a token request, with the claims of the token. */
  async function outcome({ code, ...answer }: Answer): Promise<unknown> {
    if (code >= 400) return masked(refusal({ code, ...answer }));
    const { token } = answer.body.status;
    const [, payload = ''] = token.split('.');
    const { user } = await review(token, decoded(payload).aud);
    return masked({ code, body: answer.body, claims: decoded(payload), user });
  }

  beforeAll(async () => {
    await post(accounts, { metadata: { name: 'robot' } });
    await post(secrets, { metadata: { name: 'secret' } });
    await post('/api/v1/nodes', { metadata: { name: 'node' } });
    await post(pods, pod('pod', { serviceAccountName: 'robot', nodeName: 'node' }));
    await post(pods, pod('waiting', { serviceAccountName: 'robot' }));
    await post(pods, pod('other', {}));
  });

  test.each(Object.entries(requests))('are issued for a request with %s', async (title, [path, body]) => {
    const file = `../recorded/tokens/${title.replaceAll(' ', '-')}.yaml`;
    await expect(asRecorded(await outcome(await post(path, body)))).toMatchFileSnapshot(file);
  });

  test('identify clients', async () => {
    const token = await tokenFor('robot');
    const { code, body } = await sendAs(token, 'POST', whoAmI, {});
    expect(code).toBe(201);
    expect(masked(body.status)).toStrictEqual({
      userInfo: {
        username: 'system:serviceaccount:default:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=<uid>'] },
      },
    });
    const refused = await sendAs(token, 'GET', '/api/v1/pods');
    expect(refused.body.message).toBe(
      'pods is forbidden: User "system:serviceaccount:default:robot" cannot list resource "pods" in API group "" at the cluster scope',
    );
  });

  test('are valid for their audiences only', async () => {
    const token = await tokenFor('robot', { spec: { audiences: ['a', 'b'] } });
    const found = [];
    for (const audiences of [undefined, ['a'], ['b', 'a', 'c'], ['c'], []])
      found.push(masked(await review(token, audiences)));
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/tokens/audiences.yaml');
    expect((await sendAs(token, 'POST', whoAmI, {})).code).toBe(401);
  });

  test('are refused when they are forged', async () => {
    const [header = '', payload = '', signature = ''] = (await tokenFor('robot')).split('.');
    const { iss } = decoded(payload);
    const forged = {
      'no token': 'a.b.c',
      'another payload': `${header}.${encoded({ ...decoded(payload), sub: 'x' })}.${signature}`,
      'no algorithm': `${encoded({ alg: 'none' })}.${payload}.`,
      'another issuer': `${header}.${encoded({ ...decoded(payload), iss: 'x' })}.${signature}`,
      'no signature': `${header}.${payload}`,
      'a long signature': `${header}.${payload}.${signature}.${signature}`,
      'other characters in the signature': `${header}.${payload}.${signature},`,
      'padding in the signature': `${header}.${payload}.${signature}==`,
      'other characters in the payload': `${header}.${payload}!.${signature}`,
      'another end of the signature': `${header}.${payload}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'Q' : 'A'}`,
      'a symmetric algorithm': `${encoded({ alg: 'HS256', kid: decoded(header).kid })}.${payload}.${signature}`,
      'another key': `${encoded({ ...decoded(header), kid: 'x' })}.${payload}.${signature}`,
      'a payload that is not an object': `${header}.${encoded(['a'])}.${signature}`,
      'a payload that is not JSON': `${header}.${Buffer.from('{').toString('base64url')}.${signature}`,
      'no header': `.${payload}.${signature}`,
      'only an issuer': `${header}.${encoded({ iss })}.${signature}`,
    };
    const found: Record<string, unknown> = {};
    for (const [title, token] of Object.entries(forged)) {
      const { code } = await sendAs(token, 'POST', whoAmI, {});
      found[title] = { code, review: masked(await review(token)) };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/tokens/forged.yaml');
  });

  test('end with their account', async () => {
    await post(accounts, { metadata: { name: 'short' } });
    const token = await tokenFor('short');
    await server.session.delete(`${accounts}/short`);
    // A real server remembers valid tokens for ten seconds.
    await until(async () => (await review(token)).authenticated === undefined);
    expect((await review(token)).error).toBe('[invalid bearer token, serviceaccounts "short" not found]');
    await post(accounts, { metadata: { name: 'short' } });
    await until(async () => /does not match claim/.test((await review(token)).error));
    const message = 'service account UID (<uid>) does not match claim (<uid>)';
    expect(masked((await review(token)).error)).toBe(`[invalid bearer token, ${message}]`);
  });

  test('end with the object that they are bound to', async () => {
    const kinds = [
      { kind: 'Secret', path: secrets, object: {} },
      { kind: 'Pod', path: pods, object: pod('short', { serviceAccountName: 'robot' }) },
      { kind: 'Node', path: '/api/v1/nodes', object: {} },
    ];
    // Together, because a real server remembers valid tokens for ten seconds.
    const found = kinds.map(async ({ kind, path, object }) => {
      const create = () => post(path, { ...object, metadata: { name: 'short' } });
      await create();
      const token = await tokenFor('robot', bound(kind, 'short'));
      const { authenticated } = await review(token);
      await server.session.delete(`${path}/short?gracePeriodSeconds=0`);
      await until(async () => (await review(token)).authenticated === undefined);
      const { error: deleted } = await review(token);
      await create();
      await until(async () => (await review(token)).error !== deleted);
      return { kind, authenticated, deleted, replaced: masked((await review(token)).error) };
    });
    const file = '../recorded/tokens/bound-objects.yaml';
    await expect(asRecorded(await Promise.all(found))).toMatchFileSnapshot(file);
  });

  test('stay valid while finalizers keep what they are bound to', async () => {
    await post(secrets, { metadata: { name: 'kept', finalizers: ['example.com/keep'] } });
    const token = await tokenFor('robot', bound('Secret', 'kept'));
    await server.session.delete(`${secrets}/kept`);
    expect((await review(token)).authenticated).toBe(true);
  });

  test('of another server are refused', async () => {
    const env = server.name === 'embedded' ? {} : { KUBEBUILDER_ASSETS: process.env['KUBEBUILDER_ASSETS'] };
    await using other = await TestEnvironment.start({ env, controllers: false });
    const session = new Session(other.config);
    await session.post(accounts, { metadata: { name: 'robot' } });
    const { body } = await session.post(`${accounts}/robot/token`, {});
    session.close();
    const { token } = body.status;
    expect((await sendAs(token, 'POST', whoAmI, {})).code).toBe(401);
    expect((await review(token)).error).toBe('[invalid bearer token, invalid signature, no keys found]');
  });
});
