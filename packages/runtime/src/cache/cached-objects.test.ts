import { describe, expect, test } from 'vitest';
import { Thing, thing } from '../../test/thing.ts';
import { CachedObjects } from './cached-objects.ts';

function made(
  name: string,
  namespace: string,
  labels: Record<string, string> = {},
  resourceVersion = '1',
): Thing {
  const object = thing(name);
  return { ...object, metadata: { name, namespace, labels, uid: name, resourceVersion } };
}

/** Indexed by the label `app`, and by each letter of the name. */
function setUp(...objects: Thing[]): CachedObjects<Thing> {
  const cached = new CachedObjects(Thing, () => '5');
  cached.store.replace(objects);
  const { indexes } = cached.store;
  indexes.add('app', ({ metadata }) => Object.values(metadata.labels ?? {}), cached.store.values());
  indexes.add('letter', ({ metadata }) => (metadata.name ?? '').split(''), cached.store.values());
  return cached;
}

const names = (objects: Thing[]): string[] => objects.map(({ metadata }) => metadata.name ?? '').toSorted();

describe('listing', () => {
  const cached = setUp(
    made('ab', 'one', { app: 'web' }),
    made('bc', 'one', { app: 'web', tier: 'x' }),
    made('cd', 'two', { app: 'db' }),
    made('ac', 'two', { app: 'web' }),
  );

  test.each([
    [{}, ['ab', 'ac', 'bc', 'cd']],
    [{ namespace: 'one' }, ['ab', 'bc']],
    [{ namespace: 'none' }, []],
    [{ labelSelector: 'app=web,!tier' }, ['ab', 'ac']],
    [{ labelSelector: { matchLabels: { app: 'db' } } }, ['cd']],
    [{ index: { app: 'web' } }, ['ab', 'ac', 'bc']],
    [{ index: { app: 'other' } }, []],
    [{ index: { letter: 'a' } }, ['ab', 'ac']],
    [{ index: { letter: 'c', app: 'web' } }, ['ac', 'bc']],
    [{ index: { letter: 'c', app: 'web' }, namespace: 'two' }, ['ac']],
    [{ index: { app: 'web' }, namespace: 'one', labelSelector: 'tier' }, ['bc']],
  ])('%j gives %j', (options, expected) => {
    expect(names(cached.list(options))).toEqual(expected);
  });

  test('an unknown index is an error that lists the existing ones', () => {
    expect(() => cached.list({ index: { color: 'red' } })).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: 'Thing has no index named "color", only app, letter',
        hint: expect.stringContaining('cache.addIndex(Thing, "color"'),
      }),
    );
  });
});

describe('an index', () => {
  test('follows changes, deletions and lists', () => {
    const cached = setUp(made('a', 'one', { app: 'web' }));
    const find = (app: string): string[] => names(cached.list({ index: { app } }));
    cached.store.upsert(made('a', 'one', { app: 'db' }, '2'));
    cached.store.upsert(made('b', 'one', { app: 'db' }));
    expect([find('web'), find('db')]).toEqual([[], ['a', 'b']]);
    cached.store.delete(made('a', 'one', { app: 'other' }, '3'));
    expect([find('web'), find('db'), find('other')]).toEqual([[], ['b'], []]);
    cached.store.replace([made('c', 'one', { app: 'web' }), made('b', 'one', { app: 'web' }, '4')]);
    expect([find('web'), find('db')]).toEqual([['b', 'c'], []]);
    // The very object of an index stays when a list brings an equal one.
    cached.store.replace([made('b', 'one', { app: 'web' }, '4')]);
    cached.store.delete(made('b', 'one', {}, '5'));
    expect(find('web')).toEqual([]);
  });
});

describe('own writes', () => {
  test('appear in reads, lists, selectors and indexes as if the watch had delivered them', () => {
    const cached = setUp(
      made('a', 'one', { app: 'web' }),
      made('b', 'one', { app: 'web' }),
      made('c', 'one'),
    );
    const changed = made('a', 'one', { app: 'db' }, '7');
    const created = made('n', 'one', { app: 'web' }, '8');
    cached.overlay.wrote(changed, () => changed);
    cached.overlay.wrote(created, () => created);
    cached.overlay.removed({ name: 'b', namespace: 'one' }, 'b');
    expect(cached.get({ name: 'a', namespace: 'one' })).toBe(changed);
    expect(cached.get({ name: 'b', namespace: 'one' })).toBeUndefined();
    expect(names(cached.list({}))).toEqual(['a', 'c', 'n']);
    expect(names(cached.list({ namespace: 'one', index: { app: 'web' } }))).toEqual(['n']);
    expect(names(cached.list({ index: { app: 'db' } }))).toEqual(['a']);
    expect(names(cached.list({ labelSelector: 'app=db' }))).toEqual(['a']);
    expect(cached.list({ namespace: 'two' })).toEqual([]);
  });
});
