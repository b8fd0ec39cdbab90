import { ConfigMap, Pod, Secret, Service, ServiceAccount } from 'ots-kubernetes/core/v1';
import type { SimulatedContainer } from 'ots-testing';
import { expect, test } from 'vitest';
import { podOf, startNode } from '../support/start-node.ts';

const inDefault = (name: string) => ({ name, namespace: 'default' });

/** Starts a cluster with the ConfigMap `settings` and the Secret `access`, whose application shows its container. */
async function start() {
  const seen: SimulatedContainer[] = [];
  const node = await startNode({ 'app:*': (container) => void seen.push(container) });
  await node.client.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inDefault('settings'),
    data: { mode: 'fast', level: '3' },
  });
  await node.client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inDefault('access'),
    stringData: { password: 'secret' },
  });
  return { ...node, seen };
}

const container = { name: 'app', image: 'app:1' };

/** The environment without the variables of the API server's Service. */
function ownVariables({ env }: SimulatedContainer): object {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KUBERNETES_')));
}

test('an application sees its environment, command and arguments', async () => {
  const { create, seen, read } = await start();
  await create({
    nodeName: 'node-1',
    containers: [
      {
        ...container,
        command: ['run', '$(MODE)', '$$(MODE)'],
        args: ['--unknown=$(UNKNOWN)'],
        resources: { requests: { cpu: '250m' }, limits: { memory: '64Mi' } },
        envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'access' }, prefix: 'P_' }],
        env: [
          { name: 'MODE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'mode' } } },
          { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'access', key: 'password' } } },
          { name: 'ABSENT', valueFrom: { secretKeyRef: { name: 'absent', key: 'x', optional: true } } },
          { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          { name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
          { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } } },
          { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
          { name: 'ALL', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          { name: 'URL', value: 'http://$(IP):80/$(mode)' },
          { name: 'EMPTY', value: '' },
        ],
      },
    ],
  });
  expect((await read())?.status?.phase).toBe('Running');
  expect(seen).toHaveLength(1);
  expect(ownVariables(seen[0]!)).toEqual({
    mode: 'fast',
    level: '3',
    P_password: 'secret',
    MODE: 'fast',
    PASSWORD: 'secret',
    POD: 'app',
    IP: '10.244.0.1',
    HOST: '192.168.1.1',
    NODE: 'node-1',
    CPU: '250',
    MEMORY: '64',
    ALL: '8',
    URL: 'http://10.244.0.1:80/fast',
    EMPTY: '',
  });
  expect(seen[0]!.command).toEqual(['run', 'fast', '$(MODE)']);
  expect(seen[0]!.args).toEqual(['--unknown=$(UNKNOWN)']);
});

test('an application sees the Services of its namespace, and always that of the API server', async () => {
  const { client, create, seen, environment } = await start();
  const serviceOf = (name: string, namespace: string, spec: Service['spec']): Service => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    ...(spec && { spec }),
  });
  const ports = [
    { name: 'http', port: 80 },
    { name: 'dns-udp', port: 53, protocol: 'UDP' as const },
  ];
  await client.create(Service, serviceOf('web-shop', 'default', { clusterIP: '10.0.0.80', ports }));
  await client.create(
    Service,
    serviceOf('plain', 'default', { clusterIP: '10.0.0.81', ports: [{ port: 81 }] }),
  );
  await client.create(Service, serviceOf('headless', 'default', { clusterIP: 'None', ports }));
  await client.create(Service, serviceOf('elsewhere', 'kube-system', { ports }));
  await environment.settle();
  const env = [
    { name: 'URL', value: 'http://$(WEB_SHOP_SERVICE_HOST)' },
    { name: 'PLAIN_PORT', value: 'own' },
  ];
  await create({ containers: [{ ...container, env, args: ['$(PLAIN_SERVICE_PORT)'] }] });
  expect(ownVariables(seen[0]!)).toEqual({
    WEB_SHOP_SERVICE_HOST: '10.0.0.80',
    WEB_SHOP_SERVICE_PORT: '80',
    WEB_SHOP_SERVICE_PORT_HTTP: '80',
    WEB_SHOP_SERVICE_PORT_DNS_UDP: '53',
    WEB_SHOP_PORT: 'tcp://10.0.0.80:80',
    WEB_SHOP_PORT_80_TCP: 'tcp://10.0.0.80:80',
    WEB_SHOP_PORT_80_TCP_PROTO: 'tcp',
    WEB_SHOP_PORT_80_TCP_PORT: '80',
    WEB_SHOP_PORT_80_TCP_ADDR: '10.0.0.80',
    WEB_SHOP_PORT_53_UDP: 'udp://10.0.0.80:53',
    WEB_SHOP_PORT_53_UDP_PROTO: 'udp',
    WEB_SHOP_PORT_53_UDP_PORT: '53',
    WEB_SHOP_PORT_53_UDP_ADDR: '10.0.0.80',
    PLAIN_SERVICE_HOST: '10.0.0.81',
    PLAIN_SERVICE_PORT: '81',
    PLAIN_PORT: 'own',
    PLAIN_PORT_81_TCP: 'tcp://10.0.0.81:81',
    PLAIN_PORT_81_TCP_PROTO: 'tcp',
    PLAIN_PORT_81_TCP_PORT: '81',
    PLAIN_PORT_81_TCP_ADDR: '10.0.0.81',
    URL: 'http://10.0.0.80',
  });
  expect(seen[0]!.args).toEqual(['81']);

  const pod = { ...podOf('alone'), spec: { enableServiceLinks: false, containers: [container] } };
  await client.create(Pod, pod);
  await environment.settle();
  const { clusterIP } = (await client.get(Service, inDefault('kubernetes')))!.spec!;
  expect(ownVariables(seen[1]!)).toEqual({});
  expect(seen[1]!.env).toMatchObject({
    KUBERNETES_SERVICE_HOST: clusterIP,
    KUBERNETES_SERVICE_PORT: '443',
    KUBERNETES_SERVICE_PORT_HTTPS: '443',
    KUBERNETES_PORT: `tcp://${clusterIP}:443`,
  });
});

test('an application sees the files of its volumes', async () => {
  const { create, seen, client } = await start();
  await client.create(ServiceAccount, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: inDefault('runner'),
  });
  await create({
    serviceAccountName: 'runner',
    containers: [
      {
        ...container,
        volumeMounts: [
          { name: 'all', mountPath: '/etc/all' },
          { name: 'one', mountPath: '/etc/mode.conf', subPath: 'conf/mode' },
          { name: 'mixed', mountPath: '/var/mixed' },
          { name: 'scratch', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'all', secret: { secretName: 'access' } },
      { name: 'one', configMap: { name: 'settings', items: [{ key: 'mode', path: 'conf/mode' }] } },
      {
        name: 'mixed',
        projected: {
          sources: [
            { configMap: { name: 'settings' } },
            { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
            { configMap: { name: 'absent', optional: true } },
            { serviceAccountToken: { path: 'token' } },
          ],
        },
      },
      { name: 'scratch', emptyDir: {} },
    ],
  });
  expect(seen).toHaveLength(1);
  expect(Object.fromEntries(seen[0]!.files)).toEqual({
    '/etc/all/password': 'secret',
    '/etc/mode.conf': 'fast',
    '/var/mixed/mode': 'fast',
    '/var/mixed/level': '3',
    '/var/mixed/name': 'app',
    '/var/mixed/token': expect.stringMatching(/^ey/),
  });
});

test.each([
  [{ configMapKeyRef: { name: 'later', key: 'x' } }, 'configmap "later" not found'],
  [{ configMapKeyRef: { name: 'settings', key: 'x' } }, "couldn't find key x in ConfigMap default/settings"],
  [{ secretKeyRef: { name: 'access', key: 'x' } }, "couldn't find key x in Secret default/access"],
])('a container waits for what %j names', async (valueFrom, message) => {
  const { create, seen, status, container: read, client, events, environment } = await start();
  await create({ containers: [{ ...container, env: [{ name: 'X', valueFrom }] }] });
  expect(await read()).toMatchObject({
    state: { waiting: { reason: 'CreateContainerConfigError', message } },
  });
  expect((await status()).phase).toBe('Pending');
  expect((await events()).at(-1)).toBe(`1 Warning Failed: Error: ${message}`);
  if (message.startsWith('configmap'))
    await client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: inDefault('later'),
      data: { x: '1' },
    });
  else if (message.includes('ConfigMap'))
    await client.patch(ConfigMap, inDefault('settings'), { data: { x: '1' } });
  else await client.patch(Secret, inDefault('access'), { stringData: { x: '1' } });
  await environment.advance('10s');
  expect((await status()).phase).toBe('Running');
  expect(ownVariables(seen[0]!)).toEqual({ X: '1' });
});

const mountOf = (subPathExpr: string) => ({
  containers: [
    {
      ...container,
      env: [
        { name: 'KEY', value: 'mode' },
        { name: 'UP', value: '..' },
        { name: 'ROOT', value: '/etc' },
        { name: 'EMPTY', value: '' },
      ],
      volumeMounts: [{ name: 'settings', mountPath: '/etc/settings', subPathExpr }],
    },
  ],
  volumes: [
    { name: 'settings', configMap: { name: 'settings', items: [{ key: 'mode', path: 'mode/file' }] } },
  ],
});

test('variables choose the part of a volume that a container sees', async () => {
  const { create, seen } = await start();
  await create(mountOf('$(KEY)'));
  expect(Object.fromEntries(seen[0]!.files)).toEqual({ '/etc/settings/file': 'fast' });
});

test.each([
  ['$(UP)/x', "unable to provision SubPath `../x`: must not contain '..'"],
  ['$(ROOT)', 'error SubPath `/etc` must not be an absolute path'],
  ['$(EMPTY)$(NONE)', 'missing value for EMPTY, NONE'],
])('a container does not start with the subPathExpr %s', async (subPathExpr, message) => {
  const { create, seen, container: read } = await start();
  await create(mountOf(subPathExpr));
  expect(await read()).toMatchObject({
    state: { waiting: { reason: 'CreateContainerConfigError', message } },
  });
  expect(seen).toEqual([]);
});

test('a pod waits for the volumes that it mounts', async () => {
  const { create, status, client, events, environment } = await start();
  await create({
    containers: [container],
    volumes: [
      { name: 'config', configMap: { name: 'later' } },
      { name: 'keys', secret: { secretName: 'access', items: [{ key: 'tls', path: 'tls' }] } },
    ],
  });
  expect(await status()).toMatchObject({
    phase: 'Pending',
    containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
  });
  expect((await status()).conditions?.[0]).toMatchObject({
    type: 'PodReadyToStartContainers',
    status: 'False',
  });
  expect(await events()).toEqual([
    '1 Warning FailedMount: MountVolume.SetUp failed for volume "config" : configmap "later" not found',
    '1 Warning FailedMount: MountVolume.SetUp failed for volume "keys" : references non-existent secret key: tls',
  ]);
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: inDefault('later') });
  await client.patch(Secret, inDefault('access'), { stringData: { tls: 'x' } });
  await environment.advance('499ms');
  expect((await status()).phase).toBe('Pending');
  await environment.advance('1ms');
  expect((await status()).phase).toBe('Running');
});

test('an application sees changes of its files within a minute, except those of a subPath', async () => {
  const { create, seen, client, container: read, environment, events } = await start();
  await create({
    containers: [
      {
        ...container,
        volumeMounts: [
          { name: 'settings', mountPath: '/etc/settings' },
          { name: 'settings', mountPath: '/etc/mode.conf', subPath: 'mode' },
          { name: 'mixed', mountPath: '/etc/mixed' },
        ],
      },
    ],
    volumes: [
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'mixed', projected: { sources: [{ secret: { name: 'access' } }] } },
    ],
  });
  const { files } = seen[0]!;
  const before = {
    '/etc/settings/mode': 'fast',
    '/etc/settings/level': '3',
    '/etc/mode.conf': 'fast',
    '/etc/mixed/password': 'secret',
  };
  await environment.advance('5m');
  expect(Object.fromEntries(files)).toEqual(before);
  await client.patch(ConfigMap, inDefault('settings'), { data: { mode: 'slow', level: null } });
  await environment.advance('30s');
  await client.patch(Secret, inDefault('access'), { stringData: { password: 'new' } });
  await environment.advance('29s');
  expect(Object.fromEntries(files)).toEqual(before);
  await environment.advance('1s');
  const after = { '/etc/settings/mode': 'slow', '/etc/mode.conf': 'fast', '/etc/mixed/password': 'new' };
  expect(Object.fromEntries(files)).toEqual(after);
  await client.delete(ConfigMap, inDefault('settings'));
  await environment.advance('1m');
  expect(Object.fromEntries(files)).toEqual(after);
  expect((await events()).at(-1)).toMatch(
    'Warning FailedMount: MountVolume.SetUp failed for volume "settings" : configmap "settings" not found',
  );
  await client.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inDefault('settings'),
    data: { mode: 'new' },
  });
  await environment.advance('2m');
  expect(Object.fromEntries(files)).toEqual({ ...after, '/etc/settings/mode': 'new' });
  expect(await read()).toMatchObject({ ready: true, restartCount: 0 });
});
