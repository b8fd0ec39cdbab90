import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import { SimulatedApi } from './simulated-api.ts';

const code = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'ok',
    (error: { code: unknown }) => error.code,
  );

test('items are created, read, replaced and deleted', async () => {
  const api = new SimulatedApi<{ size: number }>();
  const item = { size: 1 };
  await api.create('a', item);
  item.size = 7;
  expect(await code(api.create('a', item))).toBe('ALREADY_EXISTS');
  const read = await api.get('a');
  expect(read).toEqual({ size: 1 });
  read!.size = 8;
  expect(api.items.get('a')).toEqual({ size: 1 });
  await api.update('a', { size: 2 });
  expect(await api.get('a')).toEqual({ size: 2 });
  await api.delete('a');
  expect(await api.get('a')).toBeUndefined();
  expect(await code(api.delete('a'))).toBe('NOT_FOUND');
  expect(await code(api.update('a', { size: 3 }))).toBe('NOT_FOUND');
  expect(api.created).toBe(1);
});

test('the API may assign the IDs, and never the same twice', async () => {
  const api = new SimulatedApi<object>();
  const ids = [await api.createWithId({})];
  await api.delete('id-1');
  ids.push(await api.createWithId({}));
  expect(ids).toEqual(['id-1', 'id-2']);
  expect(api.calls).toEqual(['create id-1', 'delete id-1', 'create id-2']);
});

test('calls are refused, and lose their connection before or after they are done', async () => {
  const api = new SimulatedApi<object>();
  const refused = api.disturb('create', { refuse: 'quota exceeded' });
  api.disturb('create', { disconnect: 'before' });
  api.disturb('create', { disconnect: 'after' });
  await expect(api.create('a', {})).rejects.toThrow('quota exceeded');
  expect(await code(api.create('b', {}))).toBe('CONNECTION_LOST');
  expect(await code(api.create('c', {}))).toBe('CONNECTION_LOST');
  expect(await code(api.create('d', {}))).toBe('ok');
  expect(refused.hits).toBe(1);
  expect([...api.items.keys()]).toEqual(['c', 'd']);
  expect(api.calls).toEqual(['create c', 'create d']);
});

test('an effect is for one operation, as often as it says, until it is removed', async () => {
  const api = new SimulatedApi<object>();
  const always = api.disturb('get', { refuse: 'no' }, Infinity);
  api.disturb('create', { refuse: 'no' }, 2);
  expect([await code(api.create('a', {})), await code(api.create('a', {}))]).toEqual(['REFUSED', 'REFUSED']);
  expect(await code(api.create('a', {}))).toBe('ok');
  expect(await code(api.get('a'))).toBe('REFUSED');
  always.remove();
  expect(await code(api.get('a'))).toBe('ok');
  expect(always.hits).toBe(1);
});

test.each(['before', 'after'] as const)(
  'a call without a response (%s) ends with its signal',
  async (when) => {
    const api = new SimulatedApi<object>();
    api.disturb('create', { timeout: when });
    const controller = new AbortController();
    const { signal } = controller;
    const call = code(api.create('a', {}, { signal }));
    await Promise.resolve();
    controller.abort({ code: 'GIVEN_UP' });
    expect(await call).toBe('GIVEN_UP');
    expect(api.items.size).toBe(when === 'after' ? 1 : 0);
    expect(await code(api.get('a', { signal }))).toBe('GIVEN_UP');
  },
);

test('latency takes the time of the clock', async () => {
  await using environment = await TestEnvironment.start({ clock: 'virtual' });
  const { clock } = environment.config;
  const api = new SimulatedApi<object>({ clock });
  api.disturb('create', { latency: '1h' });
  const start = clock!.now();
  const created = api.create('a', {}).then(() => clock!.now() - start);
  await environment.advance('30m');
  expect(api.items.size).toBe(0);
  await environment.advance('1h');
  expect(await created).toBe(3_600_000);
});
