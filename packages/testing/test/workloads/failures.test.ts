import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { startNode } from '../support/start-node.ts';

test('an image that cannot be pulled is tried again after delays that double', async () => {
  const { environment, create, container, events, status } = await startNode();
  const failure = environment.failures.add({ image: 'app:*' }, { imagePull: 'not found' });
  await create();
  expect(await container()).toMatchObject({
    image: 'app:1',
    imageID: '',
    state: { waiting: { reason: 'ErrImagePull', message: 'not found' } },
  });
  expect((await status()).phase).toBe('Pending');
  expect(await events()).toEqual([
    '1 Normal Pulling: Pulling image "app:1"',
    '1 Warning Failed: Failed to pull image "app:1": not found',
    '1 Warning Failed: Error: ErrImagePull',
  ]);
  await environment.advance('1s');
  const message = 'Back-off pulling image "app:1": ErrImagePull: not found';
  expect(await container()).toMatchObject({ state: { waiting: { reason: 'ImagePullBackOff', message } } });
  expect((await events()).slice(3)).toEqual([
    '1 Normal BackOff: Back-off pulling image "app:1"',
    '1 Warning Failed: Error: ImagePullBackOff',
  ]);
  await environment.advance('9s');
  expect(await container()).toMatchObject({ state: { waiting: { reason: 'ErrImagePull' } } });
  failure.remove();
  await environment.advance('19s');
  expect(await container()).toMatchObject({ state: { waiting: { reason: 'ImagePullBackOff' } } });
  await environment.advance('1s');
  expect(await container()).toMatchObject({ state: { running: {} }, restartCount: 0 });
});

test('an image with a name that no registry can have is not pulled', async () => {
  const { environment, create, container, events, status } = await startNode();
  await create({ containers: [{ name: 'app', image: 'Team/App:1' }] });
  const message =
    'Failed to apply default image tag "Team/App:1": couldn\'t parse image name "Team/App:1": invalid reference format: repository name (App) must be lowercase';
  expect(await container()).toMatchObject({
    image: 'Team/App:1',
    imageID: '',
    started: false,
    state: { waiting: { reason: 'InvalidImageName', message } },
  });
  expect((await status()).phase).toBe('Pending');
  expect(await events()).toEqual([
    `1 Warning InspectFailed: ${message}`,
    '1 Warning Failed: Error: InvalidImageName',
  ]);
  await environment.advance('10s');
  expect(await container()).toMatchObject({ state: { waiting: { reason: 'InvalidImageName', message } } });
  expect(await events()).toEqual([
    `2 Warning InspectFailed: ${message}`,
    '2 Warning Failed: Error: InvalidImageName',
  ]);
});

test('a container crashes a time after its start, until the failure is removed', async () => {
  const { environment, create, container } = await startNode();
  await create();
  await environment.advance('1m');
  {
    using failure = environment.failures.add(
      { name: 'app', namespace: 'default', node: 'node-1' },
      { crashAfter: '5s', exitCode: 137, reason: 'OOMKilled' },
    );
    expect(Symbol.dispose in failure).toBe(true);
    await environment.advance('4s');
    expect(await container()).toMatchObject({ restartCount: 0 });
    await environment.advance('1s');
    expect(await container()).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
    });
    await environment.advance('5s');
    expect(await container()).toMatchObject({ state: { waiting: { reason: 'CrashLoopBackOff' } } });
  }
  await environment.advance('10s');
  await environment.advance('10m');
  expect(await container()).toMatchObject({ restartCount: 2, state: { running: {} }, ready: true });
});

test('a slow start delays readiness', async () => {
  const { environment, create, container } = await startNode({ 'app:*': { readyAfter: '1s' } });
  const failure = environment.failures.add({}, { readyAfter: '30s' });
  await create();
  await environment.advance('29s');
  expect(await container()).toMatchObject({ ready: false });
  failure.remove();
  await environment.settle();
  expect(await container()).toMatchObject({ ready: true });
});

test('a pod that is evicted fails', async () => {
  const { environment, create, status, events } = await startNode();
  await create();
  const message = 'The node was low on resource: memory.';
  environment.failures.add({ labels: 'app=other' }, { evict: 'no' });
  environment.failures.add({ labels: '!app' }, { evict: message });
  await environment.settle();
  expect(await status()).toMatchObject({ phase: 'Failed', reason: 'Evicted', message });
  expect((await status()).conditions).toContainEqual(
    expect.objectContaining({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
      message,
    }),
  );
  expect((await events()).slice(-2)).toEqual([
    `1 Warning Evicted: ${message}`,
    '1 Normal Killing: Stopping container app',
  ]);
});

test.each([
  [{}, '{} is not a failure'],
  [{ evict: true }, '{"evict":true} is not a failure'],
  [{ evict: 'x', imagePull: 'y' }, 'is not a failure'],
  [{ crashAfter: 'soon' }, '"soon" is not a duration'],
  [{ provisioning: true }, '{"provisioning":true} is not a failure'],
])('%j is refused', async (failure: any, message) => {
  const { environment } = await startNode();
  expect(() => environment.failures.add({}, failure)).toThrow(message);
});

test('a claim is not selected by a node or an image', async () => {
  const { environment } = await startNode();
  const pods: object = { image: 'app:*' };
  expect(() => environment.failures.add(pods, { provisioning: 'no' })).toThrow(
    'A claim has no node and no image',
  );
});

test('without simulated nodes no pods fail', async () => {
  await using environment = await TestEnvironment.start({ env: {} });
  expect(() => environment.failures).toThrow('The environment has no simulated nodes');
});
