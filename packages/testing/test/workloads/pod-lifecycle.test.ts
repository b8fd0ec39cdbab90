import { Pod } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { startNode } from '../support/start-node.ts';

const app = { name: 'app', image: 'app:1' };
const key = { name: 'app', namespace: 'default' };

test('init containers run one after the other before the others', async () => {
  const node = await startNode({ 'init:*': { exitCode: 0, exitAfter: '5s' } });
  await node.create({
    initContainers: [
      { name: 'first', image: 'init:1' },
      { name: 'second', image: 'init:1' },
    ],
    containers: [app],
  });
  const initialized = async () => (await node.status()).conditions![1];
  expect(await node.status()).toMatchObject({
    phase: 'Pending',
    initContainerStatuses: [
      { name: 'first', ready: false, state: { running: {} } },
      { name: 'second', ready: false, state: { waiting: { reason: 'PodInitializing' } } },
    ],
    containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
  });
  expect(await initialized()).toMatchObject({
    type: 'Initialized',
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: 'containers with incomplete status: [first second]',
  });
  await node.environment.advance('5s');
  expect(await initialized()).toMatchObject({ message: 'containers with incomplete status: [second]' });
  await node.environment.advance('5s');
  expect(await initialized()).toMatchObject({ status: 'True' });
  expect(await node.status()).toMatchObject({
    phase: 'Running',
    initContainerStatuses: [
      { ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
      { ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
    ],
    containerStatuses: [{ ready: true }],
  });
});

test('an init container completes at once by default', async () => {
  const node = await startNode();
  await node.create({ initContainers: [{ name: 'init', image: 'init:1' }], containers: [app] });
  expect((await node.status()).phase).toBe('Running');
});

test('an init container that fails fails a pod that never restarts', async () => {
  const node = await startNode({ 'init:*': { exitCode: 2 } });
  await node.create({
    restartPolicy: 'Never',
    initContainers: [{ name: 'init', image: 'init:1' }],
    containers: [app],
  });
  expect(await node.status()).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
  });
});

test('an init container that fails starts again', async () => {
  const node = await startNode({ 'init:*': ({ restartCount }) => ({ exitCode: restartCount < 2 ? 1 : 0 }) });
  await node.create({ initContainers: [{ name: 'init', image: 'init:1' }], containers: [app] });
  expect(await node.status()).toMatchObject({
    phase: 'Pending',
    initContainerStatuses: [{ restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
  });
  await node.environment.advance('10s');
  expect(await node.status()).toMatchObject({
    phase: 'Running',
    initContainerStatuses: [{ restartCount: 2 }],
  });
});

test('a sidecar starts before the others, starts again, and ends after them', async () => {
  const ended: string[] = [];
  const node = await startNode({
    'job:*': { exitCode: 0, exitAfter: '30s' },
    'sidecar:*': ({ restartCount, name }) => ({
      ...(restartCount === 0 && { exitCode: 1, exitAfter: '10s' }),
      terminate: () => void ended.push(name),
    }),
  });
  const sidecar = { image: 'sidecar:1', restartPolicy: 'Always' };
  await node.create({
    restartPolicy: 'Never',
    initContainers: [
      { ...sidecar, name: 'one' },
      { ...sidecar, name: 'two' },
    ],
    containers: [{ name: 'job', image: 'job:1' }],
  });
  expect(await node.status()).toMatchObject({
    phase: 'Running',
    initContainerStatuses: [{ started: true }, {}],
  });
  await node.environment.advance('10s');
  expect(await node.status()).toMatchObject({
    phase: 'Running',
    initContainerStatuses: [{ restartCount: 1 }, { restartCount: 1 }],
  });
  await node.environment.advance('20s');
  expect(ended).toEqual(['two', 'one']);
  expect((await node.status()).phase).toBe('Succeeded');
});

test('a pod fails at its deadline', async () => {
  const node = await startNode();
  await node.create({ activeDeadlineSeconds: 60, containers: [app] });
  await node.environment.advance('59s');
  expect((await node.status()).phase).toBe('Running');
  await node.environment.advance('1s');
  const message = 'Pod was active on the node longer than the specified deadline';
  expect(await node.status()).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded', message });
  expect((await node.events()).slice(-2)).toEqual([
    `1 Normal DeadlineExceeded: ${message}`,
    '1 Normal Killing: Stopping container app',
  ]);
});

test('a readiness gate keeps a pod from being ready', async () => {
  const node = await startNode();
  await node.create({ readinessGates: [{ conditionType: 'example.com/open' }], containers: [app] });
  const ready = async () => (await node.status()).conditions!.find(({ type }) => type === 'Ready');
  expect(await ready()).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'corresponding condition of pod readiness gate "example.com/open" does not exist.',
  });
  const gate = { type: 'example.com/open', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await node.client.status.patch(Pod, key, { status: { conditions: [gate] } }, { type: 'strategic' });
  await node.environment.settle();
  expect(await ready()).toMatchObject({ status: 'True' });
  expect((await node.status()).conditions).toContainEqual(expect.objectContaining(gate));
});

test('preStop runs before a container is asked to end', async () => {
  const calls: string[] = [];
  const node = await startNode({
    'app:*': {
      exec: (command) => {
        calls.push(command.join(' '));
        return {};
      },
      terminate: () => void calls.push('terminate'),
    },
  });
  const preStop = { exec: { command: ['drain'] } };
  const slow = { name: 'slow', image: 'slow:1', lifecycle: { preStop: { sleep: { seconds: 5 } } } };
  await node.create({ containers: [{ ...app, lifecycle: { preStop } }, slow] });
  await node.client.delete(Pod, key);
  await node.environment.advance('4s');
  expect(calls).toEqual(['drain', 'terminate']);
  expect(await node.read()).toBeDefined();
  await node.environment.advance('1s');
  expect(await node.read()).toBeUndefined();
});

test('a container whose postStart hook fails is stopped and starts again', async () => {
  const node = await startNode({
    'app:*': ({ restartCount }) => ({ exec: () => ({ exitCode: restartCount === 0 ? 1 : 0 }) }),
  });
  await node.create({
    containers: [{ ...app, lifecycle: { postStart: { exec: { command: ['prepare'] } } } }],
  });
  expect(await node.container()).toMatchObject({ restartCount: 1, state: { running: {} }, ready: true });
  expect(await node.events()).toContain('1 Warning FailedPostStartHook: PostStartHook failed');
});

test('a container for debugging runs beside the others', async () => {
  const node = await startNode({ 'debug:*': { exitCode: 3, exitAfter: '5s' } });
  await node.create();
  await node.client
    .subresource('ephemeralcontainers')
    .patch(
      Pod,
      key,
      { spec: { ephemeralContainers: [{ name: 'debug', image: 'debug:1' }] } },
      { type: 'strategic' },
    );
  await node.environment.settle();
  expect(await node.status()).toMatchObject({
    phase: 'Running',
    ephemeralContainerStatuses: [{ name: 'debug', state: { running: {} } }],
  });
  await node.environment.advance('1m');
  expect(await node.status()).toMatchObject({
    phase: 'Running',
    ephemeralContainerStatuses: [{ restartCount: 0, state: { terminated: { exitCode: 3 } } }],
  });
});

test('a container whose image changes starts again with the new one, whatever its restart policy', async () => {
  const { client, environment, create, container, events } = await startNode();
  await create({ restartPolicy: 'Never' });
  await client.patch(Pod, key, { spec: { containers: [{ name: 'app', image: 'app:2' }] } });
  await environment.settle();
  expect(await container()).toMatchObject({
    image: 'docker.io/library/app:2',
    restartCount: 1,
    state: { running: {} },
    lastState: { terminated: { exitCode: 0 } },
  });
  expect(await events()).toContain('1 Normal Killing: Container app definition changed, will be restarted');
});

test('a new image ends the delay before the next start', async () => {
  const { client, environment, create, container } = await startNode({ 'app:1': { exitCode: 1 } });
  await create();
  await environment.advance('15s');
  expect((await container()).state).toMatchObject({ waiting: { reason: 'CrashLoopBackOff' } });
  await client.patch(Pod, key, { spec: { containers: [{ name: 'app', image: 'app:2' }] } });
  await environment.settle();
  expect(await container()).toMatchObject({ restartCount: 3, state: { running: {} } });
});
