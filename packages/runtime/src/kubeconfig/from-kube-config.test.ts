import { expect, test } from 'vitest';
import { type KubeConfigLike, fromKubeConfig } from './from-kube-config.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Shaped as `KubeConfig` of @kubernetes/client-node 2.0. */
function kubeConfig(
  user: object | null,
  cluster: object | null = {},
  headers?: () => object,
): KubeConfigLike {
  return {
    currentContext: 'one',
    getContextObject: (name) => (name === 'one' ? { namespace: 'ns\n' } : null),
    getCurrentCluster: () => cluster && { name: 'c', server: 'https://c', skipTLSVerify: false, ...cluster },
    getCurrentUser: () => user && { name: 'u', ...user },
    applyToHTTPSOptions: async (options) => void Object.assign(options, { headers: headers?.(), agent: {} }),
  };
}

test('the fields of a cluster are converted', () => {
  const cluster = { caData: base64('CA'), caFile: '/ca', tlsServerName: 'n', proxyUrl: 'http://p' };
  expect(fromKubeConfig(kubeConfig(null, cluster))).toEqual({
    server: 'https://c',
    context: 'one',
    namespace: 'ns',
    caData: 'CA',
    tlsServerName: 'n',
    proxyUrl: 'http://p',
  });
  expect(fromKubeConfig(kubeConfig(null, { caFile: '/ca' }))).toMatchObject({ caFile: '/ca' });
});

test.each<[object, object]>([
  [{ token: 't' }, { token: 't' }],
  [
    { username: 'u', password: 'p', impersonateUser: 'b' },
    { username: 'u', password: 'p', impersonate: { user: 'b' } },
  ],
  [
    { certData: base64('C'), keyFile: '/k' },
    { certData: 'C', keyFile: '/k' },
  ],
  [
    {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        command: 'x',
        env: [{ name: 'A', value: 'b' }],
      },
    },
    { exec: expect.objectContaining({ command: 'x', env: [{ name: 'A', value: 'b' }] }) },
  ],
  // The user that loadFromCluster() creates.
  [{ authProvider: { name: 'tokenFile', config: { tokenFile: '/token' } } }, { tokenFile: '/token' }],
])('a user with %j is converted', (user, expected) => {
  expect(fromKubeConfig(kubeConfig(user))).toEqual({
    server: 'https://c',
    context: 'one',
    namespace: 'ns',
    ...expected,
  });
});

test('an auth provider is called for each request', async () => {
  let count = 0;
  const { headers } = fromKubeConfig(
    kubeConfig({ authProvider: { name: 'oidc' } }, {}, () => ({ Authorization: `Bearer ${(count += 1)}` })),
  );
  expect(await headers?.()).toEqual({ Authorization: 'Bearer 1' });
  expect(await headers?.()).toEqual({ Authorization: 'Bearer 2' });
  const none = fromKubeConfig(kubeConfig({ authProvider: { name: 'oidc' } }));
  expect(await none.headers?.()).toEqual({});
});

test('an unusable config is refused', () => {
  expect(() => fromKubeConfig(kubeConfig(null, null))).toThrow(/no current cluster/);
  expect(() => fromKubeConfig(kubeConfig({ exec: { command: 'x' } }))).toThrow(/apiVersion is missing/);
  expect(() => fromKubeConfig(kubeConfig({ username: 'u', token: 't' }))).toThrow(/cannot both be used/);
});
