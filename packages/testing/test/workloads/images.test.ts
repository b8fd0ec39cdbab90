import { Pod } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { type Application, type Images, TestEnvironment } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';
import { podOf, startNode } from '../support/start-node.ts';

async function start(images: Images, nodes = 1) {
  const environment = await TestEnvironment.start({ workloads: { images, nodes }, clock: 'virtual' });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  /** Creates a pod of an image on a node. */
  const run = async (name: string, image: string, nodeName = 'node-1') => {
    const { metadata, ...pod } = podOf(name);
    const containers = [{ name: 'app', image }];
    await client.create(Pod, {
      ...pod,
      metadata: { ...metadata, labels: { app: image.split(/[:/]/)[0]! } },
      spec: { nodeName, restartPolicy: 'Never', containers },
    });
  };
  /** `<name> <phase> <ready>` of each pod. */
  const pods = async () => {
    const { items } = await client.list(Pod, { namespace: 'default' });
    return items.map(({ metadata, status }) => {
      const [container] = status?.containerStatuses ?? [];
      const why =
        container?.state?.waiting?.reason ?? container?.state?.terminated?.reason ?? container?.ready;
      return `${metadata.name} ${status?.phase} ${why}`;
    });
  };
  return { environment, run, pods };
}

test('a pattern selects images, and the first one that matches decides', async () => {
  const started: string[] = [];
  const note =
    (pattern: string): Application =>
    ({ image }) =>
      void started.push(`${pattern} ${image}`);
  const patterns = ['app:1', 'app:*', 'app', '*/team/*:v?', '*.example.com/*', 'late:latest', '*'];
  const { environment, run } = await start(Object.fromEntries(patterns.map((each) => [each, note(each)])));
  const images = ['app:1', 'app:2', 'app', 'registry.example.com/team/app:1', 'late', 'other:1', 'my-app:1'];
  for (const [index, image] of images.entries()) {
    await run(`p${index}`, image);
    await environment.settle();
  }
  expect(started).toEqual([
    'app:1 app:1',
    'app:* app:2',
    'app:* app',
    '*.example.com/* registry.example.com/team/app:1',
    'late:latest late',
    '* other:1',
    '* my-app:1',
  ]);
});

test('applications are ready when they say so, or exit', async () => {
  const { environment, run, pods } = await start({
    'memcached:*': () => ({ readyAfter: '2s' }),
    'busybox:*': { exitCode: 1, logs: 'boom' },
  });
  await run('cache', 'memcached:1');
  await run('job', 'busybox:1');
  await run('other', 'nginx:1');
  await environment.settle();
  expect(await pods()).toEqual(['cache Running false', 'job Failed Error', 'other Running true']);
  await environment.advance('2s');
  expect((await pods())[0]).toBe('cache Running true');
});

test('failures select by pod, namespace, label, node and image', async () => {
  const { environment, run, pods } = await start({}, 2);
  const { failures } = environment;
  failures.add({ name: 'a' }, { imagePull: 'no' });
  failures.add({ labels: { matchLabels: { app: 'web' } }, node: 'node-2' }, { readyAfter: '1h' });
  failures.add({ image: 'db:*' }, { crashAfter: 500 });
  failures.add({ namespace: 'elsewhere' }, { evict: 'no' });
  failures.add({ node: 'node-2', labels: 'app in (cache)' }, { evict: 'no' });
  await run('a', 'app:1');
  await run('b', 'web:1', 'node-1');
  await run('c', 'web:1', 'node-2');
  await run('d', 'db:1');
  await run('e', 'cache:1', 'node-1');
  await run('f', 'cache:1', 'node-2');
  await environment.settle();
  expect(await pods()).toEqual([
    'a Pending ErrImagePull',
    'b Running true',
    'c Running false',
    'd Running true',
    'e Running true',
    'f Failed ContainerCreating',
  ]);
  await environment.advance(500);
  expect((await pods())[3]).toBe('d Failed Error');
});

test('a container whose image changes starts again with the new one', async () => {
  const { environment, client, create, container, events } = await startNode({
    'app:*': ({ image, signal, exit }) => {
      signal.addEventListener('abort', () => exit(0));
      return image === 'app:2' ? { readyAfter: '5s' } : {};
    },
  });
  await create();
  const change = async (image: string) => {
    await client.patch(
      Pod,
      { name: 'app', namespace: 'default' },
      { spec: { containers: [{ name: 'app', image }] } },
    );
    await environment.settle();
  };
  await change('app:2');
  expect(await container()).toMatchObject({
    image: 'docker.io/library/app:2',
    restartCount: 1,
    ready: false,
    state: { running: {} },
    lastState: { terminated: { exitCode: 0 } },
  });
  expect(await events()).toContain('1 Normal Killing: Container app definition changed, will be restarted');
  await environment.advance('5s');
  expect(await container()).toMatchObject({ ready: true });
  await change('App:3');
  expect(await container()).toMatchObject({ state: { waiting: { reason: 'InvalidImageName' } } });
  await change('app:3');
  expect(await container()).toMatchObject({ restartCount: 2, state: { running: {} } });
});
