import { expect, onTestFinished, test } from 'vitest';
import { Session } from '../../../test/support/session.ts';
import { ApiServer } from '../../api-server.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const renewTime = '2026-01-01T00:00:10.000000Z';

async function start() {
  const server = await ApiServer.start();
  const session = new Session({ server: server.url });
  onTestFinished(async () => {
    session.close();
    await server.stop();
  });
  const create = (name: string, spec: object) =>
    session.post(`${leases}?fieldManager=kubelet`, { metadata: { name }, spec });
  const renew = (name: string) =>
    server.renewLease({ namespace: 'default', name, renewTime, user: 'system:node:a', manager: 'kubelet' });
  const read = async (name: string) => (await session.get(`${leases}/${name}`)).body;
  return { server, session, create, renew, read };
}

test('a Lease that its holder renews without a request gets a new time and version', async () => {
  const { create, renew, read } = await start();
  const { body } = await create('a', { holderIdentity: 'a', renewTime: '2026-01-01T00:00:00.000000Z' });
  expect(renew('a')).toBe(true);
  const { metadata, spec } = await read('a');
  expect(spec).toEqual({ holderIdentity: 'a', renewTime });
  expect(Number(metadata.resourceVersion)).toBeGreaterThan(Number(body.metadata.resourceVersion));
});

test('a renewal takes a request while a fault changes it, and where another manager owns the time', async () => {
  const { server, session, create, renew, read } = await start();
  await create('a', { renewTime: '2026-01-01T00:00:00.000000Z' });
  await create('b', { holderIdentity: 'b' });
  await session.post(`${leases}?fieldManager=other`, {
    metadata: { name: 'c' },
    spec: { renewTime: '2026-01-01T00:00:00.000000Z' },
  });
  const ofUser = (name: string) => ({
    selects: ({ verb, resource, user }: { verb: string; resource: string; user: string }) =>
      verb === 'patch' && resource === 'leases' && user === name,
  });
  const answer = { answer: 'InternalError' } as const;
  const fault = server.faults.add(ofUser('system:node:a'), answer);
  const before = await read('a');
  expect(renew('a')).toBe(false);
  expect(await read('a')).toEqual(before);
  fault.remove();
  server.faults.add(ofUser('system:node:b'), answer);
  expect(['a', 'b', 'c', 'd'].map(renew)).toEqual([true, false, false, false]);
});
