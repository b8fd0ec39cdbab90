import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { Session } from '../../test/support/session.ts';
import { until } from '../../test/support/fixtures.ts';
import { Expiry } from './expiry.ts';
import { Store } from './store.ts';

/** A real server keeps Events for one hour, which no test waits for. */
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const object = (name: string) => ({ apiVersion: 'v1', kind: 'Event', metadata: { name } });

function start() {
  const store = new Store({ changes: 100, characters: 10_000 });
  const table = store.createTable();
  const expiry = new Expiry(table, 10_000, () => new Date());
  const names = () => table.list().map(({ key }) => key);
  return { table, expiry, names };
}

test('an object is removed some time after its last write', () => {
  const { table, names } = start();
  table.put('a', object('a'));
  table.put('b', object('b'));
  vi.advanceTimersByTime(6000);
  table.put('a', object('a'));
  table.put('c', object('c'));
  vi.advanceTimersByTime(6000);
  expect(names()).toStrictEqual(['a', 'c']);
  vi.advanceTimersByTime(6000);
  expect(names()).toStrictEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a watch sees the removal', () => {
  const { table } = start();
  const seen: string[] = [];
  table.subscribers.add('', ({ type, record }) => seen.push(`${type} ${record.key}`));
  table.put('a', object('a'));
  vi.advanceTimersByTime(11_000);
  expect(seen).toStrictEqual(['ADDED a', 'DELETED a']);
});

test('a deleted object that is created again lives as long as others', () => {
  const { table, names } = start();
  table.delete(table.put('a', object('a')));
  vi.advanceTimersByTime(9000);
  table.put('a', object('a'));
  vi.advanceTimersByTime(9000);
  expect(names()).toStrictEqual(['a']);
});

test('no timer runs without objects, nor after the end', () => {
  const { table, expiry, names } = start();
  expect(vi.getTimerCount()).toBe(0);
  table.put('a', object('a'));
  expect(vi.getTimerCount()).toBe(1);
  expiry.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(20_000);
  expect(names()).toStrictEqual(['a']);
});

test('the Events of a server expire after one hour by its clock', async () => {
  vi.useRealTimers();
  let time = Date.parse('2026-01-01T00:00:00Z');
  await using server = await ApiServer.start({ now: () => new Date(time) });
  const session = new Session(server.connection);
  const path = '/api/v1/namespaces/default/events';
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  for (const name of ['old', 'updated'])
    await session.post(path, { metadata: { name }, involvedObject, type: 'Normal', reason: 'R' });
  time += 3_000_000;
  await session.merge(`${path}/updated`, { message: 'again' });
  time += 1_000_000;
  await until(async () => (await session.get(`${path}/old`)).code === 404);
  expect((await session.get(`${path}/updated`)).code).toBe(200);
  expect((await session.get('/api/v1/namespaces/default')).code).toBe(200);
  session.close();
});
