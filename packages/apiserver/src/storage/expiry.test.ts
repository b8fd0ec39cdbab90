import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/test/virtual-clock.ts';
import { ApiServer } from '../api-server.ts';
import { Session } from '../../test/support/session.ts';
import { Expiry } from './expiry.ts';
import { Store } from './store.ts';

const object = (name: string) => ({ apiVersion: 'v1', kind: 'Event', metadata: { name } });

function start() {
  const clock = new VirtualClock();
  const table = new Store({ changes: 100, characters: 10_000 }).createTable('/events');
  const expiry = new Expiry(table, 10_000, clock);
  const names = () => table.list().map(({ key }) => key);
  return { clock, table, expiry, names };
}

test('an object is removed some time after its last write', async () => {
  const { clock, table, names } = start();
  table.put('a', object('a'));
  table.put('b', object('b'));
  await clock.advance(6000);
  table.put('a', object('a'));
  table.put('c', object('c'));
  await clock.advance(6000);
  expect(names()).toStrictEqual(['a', 'c']);
  await clock.advance(3999);
  expect(names()).toStrictEqual(['a', 'c']);
  await clock.advance(1);
  expect(names()).toStrictEqual([]);
  expect(clock.delays).toStrictEqual([]);
});

test('a watch sees the removal', async () => {
  const { clock, table } = start();
  const seen: string[] = [];
  table.subscribers.add('', ({ type, record }) => seen.push(`${type} ${record.key}`));
  table.put('a', object('a'));
  await clock.advance(10_000);
  expect(seen).toStrictEqual(['ADDED a', 'DELETED a']);
});

test('a deleted object that is created again lives as long as others', async () => {
  const { clock, table, names } = start();
  table.delete(table.put('a', object('a')));
  await clock.advance(9000);
  table.put('a', object('a'));
  await clock.advance(9000);
  expect(names()).toStrictEqual(['a']);
});

test('no timer runs without objects, nor after the end', async () => {
  const { clock, table, expiry, names } = start();
  expect(clock.delays).toStrictEqual([]);
  table.put('a', object('a'));
  expect(clock.delays).toStrictEqual([10_000]);
  expiry.stop();
  expect(clock.delays).toStrictEqual([]);
  await clock.advance(20_000);
  expect(names()).toStrictEqual(['a']);
});

test('the Events of a server expire after one hour by its clock', async () => {
  const clock = new VirtualClock();
  await using server = await ApiServer.start({ clock });
  const session = new Session(server.connection);
  const path = '/api/v1/namespaces/default/events';
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  for (const name of ['old', 'updated'])
    await session.post(path, { metadata: { name }, involvedObject, type: 'Normal', reason: 'R' });
  await clock.advance(3_000_000);
  await session.merge(`${path}/updated`, { message: 'again' });
  await clock.advance(600_000);
  expect((await session.get(`${path}/old`)).code).toBe(404);
  expect((await session.get(`${path}/updated`)).code).toBe(200);
  expect((await session.get('/api/v1/namespaces/default')).code).toBe(200);
  session.close();
});
