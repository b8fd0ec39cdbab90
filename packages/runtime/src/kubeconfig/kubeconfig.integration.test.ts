import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { startConnectProxy } from '../../test/connect-proxy.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { Transport } from '../transport/transport.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { inClusterConfig } from './in-cluster-config.ts';
import { loadConfig } from './load-config.ts';

const apiServer = apiServerFixture();
let directory: string;
let cleanUp: (() => unknown)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ots-kubeconfig-'));
});

afterEach(async () => {
  for (const each of cleanUp.toReversed()) await each();
  cleanUp = [];
});

afterAll(() => rm(directory, { recursive: true }));

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(directory, name), content);
  return join(directory, name);
}

function transportTo(config: ConnectionConfig, clock = new VirtualClock()): Transport {
  const transport = new Transport({ ...config, clock });
  cleanUp.push(() => transport.close());
  return transport;
}

const version = (transport: Transport): Promise<unknown> =>
  transport.request({ method: 'GET', path: '/version' });

/** A kubeconfig of the test's server for this user. */
async function kubeconfig(user: object, cluster: object = {}): Promise<string> {
  const { server, caData } = apiServer.config;
  const authority = caData && { 'certificate-authority-data': Buffer.from(caData).toString('base64') };
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'one', cluster: { server, ...authority, ...cluster } }],
    users: [{ name: 'one', user }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
  };
  return file('kubeconfig', JSON.stringify(content));
}

test('the environment’s kubeconfig connects to its server', async () => {
  const config = await loadConfig({ kubeconfig: await apiServer.kubeconfigFile() });
  // A file cannot say where Services listen in this process.
  const { services: _, ...written } = apiServer.config;
  expect(config).toMatchObject(written);
  expect(await version(transportTo(config))).toHaveProperty('gitVersion');
});

test('requests and watches go through a proxy', async () => {
  const proxy = await startConnectProxy();
  cleanUp.push(() => proxy.close());
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const { token } = apiServer.config;
  const config = await loadConfig({ kubeconfig: await kubeconfig({ token }, { 'proxy-url': proxyUrl }) });
  const transport = transportTo(config);
  expect(await version(transport)).toHaveProperty('gitVersion');
  const abort = new AbortController();
  const path = '/api/v1/namespaces';
  for await (const chunk of await transport.stream(path, { watch: true }, abort.signal)) {
    expect(String(chunk)).toContain('ADDED');
    break;
  }
  abort.abort();
  expect(proxy.tunnels).toEqual([1, 2].map(() => new URL(apiServer.config.server).host));
});

// The embedded server has no authentication.
describe.skipIf(!process.env['KUBEBUILDER_ASSETS'])('the server sees', () => {
  async function whoAmI(transport: Transport): Promise<Record<string, unknown>> {
    const review = await transport.request<{ status: { userInfo: Record<string, unknown> } }>({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    return review.status.userInfo;
  }

  /** Creates a service account, and requests a token for it. */
  async function tokenOf(name: string): Promise<string> {
    const admin = transportTo(apiServer.config);
    const path = '/api/v1/namespaces/default/serviceaccounts';
    const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
    await admin.request({ method: 'POST', path, body });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = await admin.request<{ status: { token: string } }>({
      method: 'POST',
      path: `${path}/${name}/token`,
      body: request,
    });
    return status.token;
  }

  const username = (name: string): string => `system:serviceaccount:default:${name}`;

  test('the service account of a token from a plugin, which runs again when the server refuses the token', async () => {
    const tokens = await file('tokens', JSON.stringify(['not-a-token', await tokenOf('plugin')]));
    // A path of the kubeconfig's folder, as plugins are often shipped beside it.
    const script = `#!${process.execPath}
      const fs = require('node:fs');
      const [token, ...rest] = JSON.parse(fs.readFileSync(${JSON.stringify(tokens)}));
      fs.writeFileSync(${JSON.stringify(tokens)}, JSON.stringify(rest));
      const { apiVersion, kind, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      if (!spec.cluster.server.startsWith('https:')) process.exit(1);
      console.log(JSON.stringify({ apiVersion, kind, status: { token } }));`;
    await writeFile(join(directory, 'plugin.cjs'), script, { mode: 0o700 });
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin.cjs',
      interactiveMode: 'Never',
      provideClusterInfo: true,
    };
    const transport = transportTo(await loadConfig({ kubeconfig: await kubeconfig({ exec }) }));
    expect(await whoAmI(transport)).toMatchObject({ username: username('plugin') });
    expect(await whoAmI(transport)).toMatchObject({ username: username('plugin') });
  });

  test('the impersonated user, with groups and extra', async () => {
    const user = {
      token: apiServer.config.token,
      as: 'jürgen',
      'as-uid': '7',
      'as-groups': ['one', 'two'],
      'as-user-extra': { 'example.com/scope': ['a', 'b'], 'ü%': ['c'] },
    };
    const transport = transportTo(await loadConfig({ kubeconfig: await kubeconfig(user) }));
    expect(await whoAmI(transport)).toEqual({
      username: 'jürgen',
      uid: '7',
      groups: ['one', 'two', 'system:authenticated'],
      extra: { 'example.com/scope': ['a', 'b'], 'ü%': ['c'] },
    });
  });

  test('the service account of a pod, whose token is replaced', async () => {
    const { hostname, port } = new URL(apiServer.config.server);
    const mount = join(directory, 'serviceaccount');
    await mkdir(mount);
    await writeFile(join(mount, 'ca.crt'), apiServer.config.caData ?? '');
    await writeFile(join(mount, 'token'), await tokenOf('pod-before'));
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const clock = new VirtualClock();
    const transport = transportTo((await inClusterConfig(env, mount))!, clock);
    expect(await whoAmI(transport)).toMatchObject({ username: username('pod-before') });
    await writeFile(join(mount, 'token'), await tokenOf('pod-after'));
    expect(await whoAmI(transport)).toMatchObject({ username: username('pod-before') });
    await clock.advance(60_000);
    expect(await whoAmI(transport)).toMatchObject({ username: username('pod-after') });
  });
});
