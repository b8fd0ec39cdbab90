import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/test/virtual-clock.ts';
import { Session } from '../../test/support/session.ts';
import { ApiServer } from '../api-server.ts';
import type { LogOptions, PodStreams } from '../pods/pod-streams.ts';

const pods = '/api/v1/namespaces/default/pods';

/** A server with a pod `a` on a node, whose kubelet remembers what it receives. */
async function setUp(log: PodStreams['log']) {
  const asked: LogOptions[] = [];
  const clock = new VirtualClock();
  const server = await ApiServer.start({
    clock,
    podStreams: {
      log: (pod, container, options) => {
        asked.push(options);
        return log(pod, container, options);
      },
    },
  });
  const session = new Session(server.connection);
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  await session.post(pods, { metadata: { name: 'a' }, spec });
  const stop = async () => {
    session.close();
    await server.stop();
  };
  return { asked, clock, session, [Symbol.asyncDispose]: stop };
}

test('a log has what the client asks for', async () => {
  await using world = await setUp(async function* (pod, container) {
    yield Buffer.from(`${pod.metadata?.name} ${container}\n`);
  });
  const query = 'tailLines=2&limitBytes=9&sinceSeconds=60&timestamps=true&previous=true';
  const answer = await world.session.get(`${pods}/a/log?${query}`);
  expect([answer.code, answer.contentType, answer.body]).toStrictEqual([200, 'text/plain', 'a c\n']);
  expect(world.asked).toMatchObject([
    {
      follow: false,
      previous: true,
      timestamps: true,
      tailLines: 2,
      limitBytes: 9,
      since: world.clock.epoch() - 60_000,
    },
  ]);
});

test('a log that is followed arrives line by line, and ends when the client goes', async () => {
  let ended = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));
  await using world = await setUp(async function* (_pod, _container, { signal }) {
    yield Buffer.from('first\n');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    ended();
  });
  const response = await world.session.open('GET', `${pods}/a/log?follow=true`);
  const [line] = await new Promise<Buffer[]>((resolve) =>
    response.once('data', (chunk: Buffer) => resolve([chunk])),
  );
  expect(line?.toString()).toBe('first\n');
  response.destroy();
  await end;
});

test('a kubelet that has no such log refuses, and one that does not run the pod cannot be reached', async () => {
  await using refusing = await setUp(() => {
    throw new Error('previous terminated container "c" in pod "a" not found');
  });
  const refused = await refusing.session.get(`${pods}/a/log?previous=true`);
  expect([refused.code, refused.body.message]).toStrictEqual([
    400,
    'previous terminated container "c" in pod "a" not found',
  ]);
  await using absent = await setUp(() => undefined);
  const { code, body } = await absent.session.get(`${pods}/a/log`);
  expect([code, body.message]).toStrictEqual([404, 'pods "n" not found']);
});
