import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/test/virtual-clock.ts';
import { ApiServer } from '../api-server.ts';
import { send } from '../client/connection.ts';

const core = '/api/v1/namespaces/default';
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';

/** A server whose clock a test holds, and a token that is bound to a Secret and valid for ten minutes. */
async function startWithToken(): Promise<{
  server: ApiServer;
  wait: (seconds: number) => void;
  errorNow: () => Promise<string | undefined>;
}> {
  const clock = new VirtualClock();
  const server = await ApiServer.start({ clock });
  const post = async (path: string, body: object) => {
    const answer: { body: any } = await send(server.connection, 'POST', path, body);
    return answer.body;
  };
  const metadata = { name: 'robot', finalizers: ['example.com/keep'] };
  await post(`${core}/serviceaccounts`, { metadata });
  await post(`${core}/secrets`, { metadata });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'robot' };
  const requested = { spec: { expirationSeconds: 600, boundObjectRef } };
  const { token } = (await post(`${core}/serviceaccounts/robot/token`, requested)).status;
  return {
    server,
    wait: (seconds) => clock.jump(seconds * 1000),
    errorNow: async () => (await post(reviews, { spec: { token } })).status.error,
  };
}

// The words and the minute are those of kube-apiserver, whose clock a test cannot hold.

test('a token is valid for a minute longer than it says', async () => {
  const { server, wait, errorNow } = await startWithToken();
  await using _ = server;
  wait(659);
  expect(await errorNow()).toBeUndefined();
  wait(2);
  expect(await errorNow()).toBe('[invalid bearer token, service account token has expired]');
});

test('a token is valid from a minute before it was issued on', async () => {
  const { server, wait, errorNow } = await startWithToken();
  await using _ = server;
  wait(-59);
  expect(await errorNow()).toBeUndefined();
  wait(-3);
  expect(await errorNow()).toBe('[invalid bearer token, service account token is not valid yet]');
});

test.each([
  ['secrets', 'service account token has been invalidated'],
  ['serviceaccounts', 'service account default/robot has been deleted'],
])('a token is valid for a minute after the deletion of %s that finalizers keep', async (plural, error) => {
  const { server, wait, errorNow } = await startWithToken();
  await using _ = server;
  await send(server.connection, 'DELETE', `${core}/${plural}/robot`);
  wait(59);
  expect(await errorNow()).toBeUndefined();
  wait(3);
  expect(await errorNow()).toBe(`[invalid bearer token, ${error}]`);
});
