import type { DeepReadonly } from 'ots-runtime';
import { Event, Pod } from 'ots-kubernetes/core/v1';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { podOf, startNode } from '../support/start-node.ts';

/** The name, status and reason of each condition. */
function conditionsOf(pod: DeepReadonly<Pod> | undefined): string[] {
  return (pod?.status?.conditions ?? []).map(({ type, status, reason = '' }) =>
    `${type} ${status} ${reason}`.trim(),
  );
}

test('a pod runs on its node, and becomes ready when its application is', async () => {
  const { environment, create, read, events } = await startNode({ 'app:*': { readyAfter: '2s' } });
  await create({ containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: '1' } } }] });
  const before = await read();
  expect(conditionsOf(before)).toEqual([
    'PodReadyToStartContainers True',
    'Initialized True',
    'Ready False ContainersNotReady',
    'ContainersReady False ContainersNotReady',
    'PodScheduled True',
  ]);
  await environment.advance('2s');
  const { status } = (await read())!;
  expect(conditionsOf(await read()).slice(2, 4)).toEqual(['Ready True', 'ContainersReady True']);
  expect(status).toMatchObject({
    observedGeneration: 1,
    phase: 'Running',
    hostIP: '192.168.1.1',
    hostIPs: [{ ip: '192.168.1.1' }],
    podIP: '10.244.0.1',
    podIPs: [{ ip: '10.244.0.1' }],
    startTime: '2026-01-01T00:00:00Z',
    qosClass: 'Burstable',
  });
  expect(status?.conditions?.[2]).toEqual({
    type: 'Ready',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: '2026-01-01T00:00:02Z',
    observedGeneration: 1,
  });
  expect(status?.containerStatuses).toEqual([
    {
      name: 'app',
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      lastState: {},
      ready: true,
      started: true,
      restartCount: 0,
      image: 'docker.io/library/app:1',
      imageID: expect.stringMatching(/^docker\.io\/library\/app@sha256:[0-9a-f]{64}$/),
      containerID: expect.stringMatching(/^ots:\/\/[0-9a-f]{64}$/),
      resources: { requests: { cpu: '1' } },
      allocatedResources: { cpu: '1' },
    },
  ]);
  expect(await events()).toEqual([
    '1 Normal Pulling: Pulling image "app:1"',
    '1 Normal Pulled: Successfully pulled image "app:1" in 0s (0s including waiting). Image size: 10485760 bytes.',
    '1 Normal Created: Container created',
    '1 Normal Started: Container started',
  ]);
});

test('the events of a pod are listed in the order in which they happened', async () => {
  const { client, create } = await startNode();
  await create();
  const { items } = await client.list(Event, { namespace: 'default' });
  const reasons = items.filter(({ source }) => source?.component === 'kubelet').map(({ reason }) => reason);
  expect(reasons).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
});

test('the kubelet writes in its own name: first that the pod waits, then that it runs', async () => {
  const { environment, client, create } = await startNode();
  await client.list(Pod);
  const seen: unknown[] = [];
  const before = environment.trace.length;
  await create();
  for (const { user, verb, resource } of environment.trace.slice(before))
    if (user === 'system:node:node-1' && !resource.startsWith('events')) seen.push(`${verb} ${resource}`);
  expect(seen).toEqual(['patch pods/status', 'patch pods/status']);
  const { items } = await client.list(Event, { namespace: 'default' });
  expect(items.find(({ reason }) => reason === 'Started')).toMatchObject({
    involvedObject: { kind: 'Pod', name: 'app', fieldPath: 'spec.containers{app}' },
    source: { component: 'kubelet', host: 'node-1' },
    reportingComponent: 'kubelet',
    reportingInstance: 'node-1',
  });
});

test('without an application a pod runs, and one that does not restart always completes', async () => {
  const { environment, create, client } = await startNode();
  await create();
  for (const restartPolicy of ['Never', 'OnFailure'] as const)
    await client.create(Pod, {
      ...podOf(restartPolicy.toLowerCase()),
      spec: { restartPolicy, containers: [{ name: 'app', image: 'app:1' }] },
    });
  const phases = async () => {
    const { items } = await client.list(Pod, { namespace: 'default' });
    return items.map(({ metadata, status }) => `${metadata.name} ${status?.phase}`);
  };
  await environment.settle();
  expect(await phases()).toEqual(['app Running', 'never Running', 'onfailure Running']);
  await environment.advance('1s');
  expect(await phases()).toEqual(['app Running', 'never Succeeded', 'onfailure Succeeded']);
});

test.each([
  [0, 'Succeeded', 'PodCompleted'],
  [3, 'Failed', 'PodFailed'],
])('a pod that never restarts ends with exit code %i as %s', async (exitCode, phase, reason) => {
  const { environment, create, read } = await startNode({ 'app:*': { exitCode, exitAfter: '5s' } });
  await create({ restartPolicy: 'Never' });
  expect((await read())?.status?.phase).toBe('Running');
  await environment.advance('5s');
  const pod = await read();
  expect(pod?.status?.phase).toBe(phase);
  expect(pod?.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:00:05Z',
  });
  expect(conditionsOf(pod).slice(0, 4)).toEqual([
    'PodReadyToStartContainers False',
    `Initialized True${exitCode === 0 ? ' PodCompleted' : ''}`,
    `Ready False ${reason}`,
    `ContainersReady False ${reason}`,
  ]);
});

test('a container that crashes starts again at once, and then after delays that double', async () => {
  const { environment, create, read, events } = await startNode({ 'app:*': { exitCode: 1 } });
  const container = async () => (await read())!.status!.containerStatuses![0]!;
  await create();
  expect(await container()).toMatchObject({
    restartCount: 1,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
  });
  const { uid } = (await read())!.metadata;
  expect((await container()).state!.waiting!.message).toBe(
    `back-off 10s restarting failed container=app pod=app_default(${uid})`,
  );
  expect((await container()).lastState!.terminated).toMatchObject({ exitCode: 1, reason: 'Error' });
  expect((await read())?.status?.phase).toBe('Running');
  for (const [delay, count] of [
    ['10s', 2],
    ['20s', 3],
    ['40s', 4],
    ['80s', 5],
    ['160s', 6],
    ['5m', 7],
    ['5m', 8],
  ] as const) {
    expect((await container()).restartCount).toBe(count - 1);
    await environment.advance(delay);
    expect((await container()).restartCount).toBe(count);
  }
  expect(await events()).toContain(
    `8 Warning BackOff: Back-off restarting failed container app in pod app_default(${uid})`,
  );
});

test('a container that has run for more than ten minutes starts again at once', async () => {
  let runs = 0;
  const { environment, create, read } = await startNode({
    'app:*': () => ({ exitCode: 1, exitAfter: (runs += 1) < 3 ? 0 : '11m' }),
  });
  await create();
  await environment.advance('10s');
  expect(runs).toBe(3);
  await environment.advance('11m');
  expect(runs).toBe(4);
  expect((await read())?.status?.containerStatuses?.[0]?.state).toHaveProperty('running');
});

test('OnFailure restarts a container that failed, until it completes', async () => {
  const { create, read } = await startNode({
    'app:*': ({ restartCount }) => ({ exitCode: restartCount === 0 ? 1 : 0 }),
  });
  await create({ restartPolicy: 'OnFailure' });
  expect((await read())?.status).toMatchObject({
    phase: 'Succeeded',
    containerStatuses: [{ restartCount: 1 }],
  });
});

test('a pod that is deleted is gone when its containers have ended', async () => {
  const { client, create, read, events, environment } = await startNode();
  await create();
  await client.delete(Pod, { name: 'app', namespace: 'default' });
  await environment.settle();
  expect(await read()).toBeUndefined();
  expect((await events()).at(-1)).toBe('1 Normal Killing: Stopping container app');
});

test('a container that does not stop is killed after the grace period', async () => {
  const { client, create, read, environment } = await startNode({
    'app:*': { terminate: () => new Promise(() => {}) },
  });
  await create({ terminationGracePeriodSeconds: 20 });
  const before = environment.trace.length;
  await client.delete(Pod, { name: 'app', namespace: 'default' });
  await environment.advance('19s');
  expect((await read())?.status?.containerStatuses?.[0]?.state).toHaveProperty('running');
  await environment.advance('1s');
  expect(await read()).toBeUndefined();
  const writes = environment.trace.slice(before).filter(({ resource }) => resource.startsWith('pods'));
  expect(writes.map(({ user, verb, resource }) => `${user} ${verb} ${resource}`)).toEqual([
    'admin delete pods',
    // The generation that the deletion has.
    'system:node:node-1 patch pods/status',
    'system:node:node-1 patch pods/status',
    'system:node:node-1 delete pods',
  ]);
});

test('a shorter grace period counts from when it was given, and a container has at least two seconds', async () => {
  const { client, create, read, environment } = await startNode({
    'app:*': { terminate: () => new Promise(() => {}) },
  });
  await create();
  await client.delete(Pod, { name: 'app', namespace: 'default' });
  await environment.advance('10s');
  await client.delete(Pod, { name: 'app', namespace: 'default' }, { gracePeriodSeconds: 5 });
  await environment.advance('1s');
  expect(await read()).toBeDefined();
  await environment.advance('1s');
  expect(await read()).toBeUndefined();
});

test('pods have addresses of their own, and one with the network of its node has that of the node', async () => {
  const { client, environment } = await startNode();
  const containers = [{ name: 'app', image: 'app:1' }];
  for (const [name, hostNetwork] of [
    ['a', false],
    ['b', false],
    ['c', true],
  ] as const)
    await client.create(Pod, { ...podOf(name), spec: { containers, hostNetwork } });
  await environment.settle();
  const { items } = await client.list(Pod);
  const addresses = items.map(({ status }) => status?.podIP);
  expect(new Set(addresses)).toEqual(new Set(['10.244.0.1', '10.244.0.2', '192.168.1.1']));
});

test('an application that throws has crashed', async () => {
  const { create, read } = await startNode({
    'app:*': () => {
      throw new Error('no database');
    },
  });
  await create({ restartPolicy: 'Never' });
  expect((await read())?.status).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{ state: { terminated: { exitCode: 1, reason: 'Error' } } }],
  });
});

test('an idle cluster writes heartbeats only', async () => {
  const { create, environment } = await startNode();
  await create();
  const before = environment.trace.length;
  await environment.advance('10m');
  const later = environment.trace.slice(before).map(({ resource }) => resource);
  expect(new Set(later)).toEqual(new Set(['leases.coordination.k8s.io', 'nodes/status']));
});

test('the same seed gives the same writes in the same order', async () => {
  const traces = [];
  while (traces.length < 2) {
    const { client, environment } = await startNode({ 'app:*': { exitCode: 1, exitAfter: '3s' } });
    const livenessProbe = { tcpSocket: { port: 80 }, periodSeconds: 1 };
    const containers = [{ name: 'app', image: 'app:1', livenessProbe }];
    for (const name of ['a', 'b', 'c']) await client.create(Pod, { ...podOf(name), spec: { containers } });
    await environment.advance('1m');
    traces.push(environment.trace);
  }
  expect(traces[0]).toEqual(traces[1]);
});

test('what runs instead of an image is an object or a function', async () => {
  const images: any = { 'app:*': 'sleep' };
  await expect(TestEnvironment.start({ workloads: { images }, env: {} })).rejects.toThrow(
    'The application of image "app:*" is neither an object nor a function',
  );
});
