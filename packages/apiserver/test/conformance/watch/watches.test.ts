import { afterEach, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Watcher } from '../../support/watcher.ts';

const versionOf = ({ metadata }: any) => Number(metadata.resourceVersion);

onEachServer('watches', (server) => {
  let namespace = 0;
  let path = '';
  const watchers: Watcher[] = [];
  afterEach(() => {
    for (const watcher of watchers.splice(0)) watcher.stop();
  });

  /** Each test has its own namespace. */
  const inNamespace = async () => {
    namespace += 1;
    const name = `watch-${namespace}`;
    await server.session.post('/api/v1/namespaces', { metadata: { name } });
    path = `/api/v1/namespaces/${name}/configmaps`;
  };
  const watch = async (query: string, target = path) => {
    const watcher = await Watcher.start(server.session, `${target}?watch=1&${query}`);
    watchers.push(watcher);
    return watcher;
  };
  const create = async (name: string, labels: object = {}) =>
    (await server.session.post(path, { metadata: { name, labels } })).body;

  test('a watch starts with the existing objects, in order, and continues with changes', async () => {
    await inNamespace();
    await create('b');
    await create('a');
    const watcher = await watch('');
    await watcher.until(2);
    const changed = (await server.session.merge(`${path}/a`, { data: { k: 'v' } })).body;
    await server.session.delete(`${path}/b`);
    await create('c');
    await watcher.until(5);
    expect(watcher.summary()).toStrictEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b', 'ADDED c']);
    expect(watcher.events[2].object).toStrictEqual(changed);
    expect(watcher.events[0].object).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    const versions = watcher.events.slice(2).map(({ object }) => versionOf(object));
    expect(versions).toStrictEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });

  test('a watch resumes after a resource version', async () => {
    await inNamespace();
    const first = await create('a');
    await create('b');
    await server.session.delete(`${path}/a`);
    const watcher = await watch(`resourceVersion=${first.metadata.resourceVersion}`);
    await watcher.until(2);
    expect(watcher.summary()).toStrictEqual(['ADDED b', 'DELETED a']);
    expect(versionOf(watcher.events[1].object)).toBeGreaterThan(versionOf(watcher.events[0].object));
  });

  test('a watch resumes after the version of a list without gap or repetition', async () => {
    await inNamespace();
    await create('a');
    const { metadata } = (await server.session.get(path)).body;
    const watcher = await watch(`resourceVersion=${metadata.resourceVersion}`);
    await create('b');
    await watcher.until(1);
    expect(watcher.summary()).toStrictEqual(['ADDED b']);
  });

  test('an object that leaves a selector is deleted, one that enters is added', async () => {
    await inNamespace();
    await create('in', { a: '1' });
    await create('out', { a: '2' });
    const watcher = await watch('labelSelector=a%3D1');
    await watcher.until(1);
    const left = (await server.session.merge(`${path}/in`, { metadata: { labels: { a: '2' } } })).body;
    await server.session.merge(`${path}/out`, { metadata: { labels: { a: '1' } } });
    await server.session.merge(`${path}/out`, { data: { k: 'v' } });
    await server.session.merge(`${path}/in`, { data: { k: 'v' } });
    await server.session.delete(`${path}/in`);
    await server.session.delete(`${path}/out`);
    await watcher.until(5);
    expect(watcher.summary()).toStrictEqual([
      'ADDED in',
      'DELETED in',
      'ADDED out',
      'MODIFIED out',
      'DELETED out',
    ]);
    // An object that no longer matches is shown as it last matched, with the version of the change.
    const { object } = watcher.events[1];
    expect(object.metadata.labels).toStrictEqual({ a: '1' });
    expect(object.metadata.resourceVersion).toBe(left.metadata.resourceVersion);
  });

  test('a field selector picks one object', async () => {
    await inNamespace();
    const watcher = await watch('fieldSelector=metadata.name%3Db');
    await create('a');
    await create('b');
    await watcher.until(1);
    expect(watcher.summary()).toStrictEqual(['ADDED b']);
  });

  test('the event for the removal of the last finalizer shows the last stored state', async () => {
    await inNamespace();
    await server.session.post(path, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    const watcher = await watch('');
    await server.session.delete(`${path}/held`);
    await server.session.merge(`${path}/held`, { metadata: { finalizers: null, labels: { late: 'yes' } } });
    await watcher.until(3);
    expect(watcher.summary()).toStrictEqual(['ADDED held', 'MODIFIED held', 'DELETED held']);
    const [, marked, deleted] = watcher.events;
    expect(deleted.object.metadata.finalizers).toStrictEqual(['example.com/hold']);
    expect(deleted.object.metadata.labels).toBeUndefined();
    expect(versionOf(deleted.object)).toBeGreaterThan(versionOf(marked.object));
  });

  test('a write that changes nothing causes no event', async () => {
    await inNamespace();
    const { metadata } = await create('a');
    const watcher = await watch(`resourceVersion=${metadata.resourceVersion}`);
    await server.session.merge(`${path}/a`, {});
    await server.session.post(`${path}?dryRun=All`, { metadata: { name: 'dry' } });
    await create('b');
    await watcher.until(1);
    expect(watcher.summary()).toStrictEqual(['ADDED b']);
  });

  test('a bookmark marks the end of the initial events', async () => {
    await inNamespace();
    await create('a');
    for (const query of [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      'resourceVersion=0&allowWatchBookmarks=true',
    ]) {
      const watcher = await watch(query);
      await watcher.until(2);
      expect(watcher.events[0]).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
      expect(watcher.events[1]).toStrictEqual({
        type: 'BOOKMARK',
        object: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            resourceVersion: expect.stringMatching(/^\d+$/),
            annotations: { 'k8s.io/initial-events-end': 'true' },
          },
        },
      });
    }
  });

  test('timeoutSeconds ends the watch cleanly', async () => {
    await inNamespace();
    await create('a');
    const watcher = await watch('timeoutSeconds=1');
    await watcher.ended;
    expect(watcher.summary()).toStrictEqual(['ADDED a']);
  });

  test.each(['-1', '-3600', '9999999999'])(
    'a watch of %s seconds, which Go counts as less than none, ends at once',
    async (seconds) => {
      await inNamespace();
      const watcher = await watch(`timeoutSeconds=${seconds}&resourceVersion=1`);
      await watcher.ended;
      expect(watcher.events).toStrictEqual([]);
    },
  );

  test('a watch of a future version sends no events', async () => {
    await inNamespace();
    const watcher = await watch('timeoutSeconds=1&resourceVersion=999999999');
    await create('a');
    await watcher.ended;
    expect(watcher.events).toStrictEqual([]);
  });

  test('a watch parameter on one object is ignored', async () => {
    await inNamespace();
    const body = await create('a');
    expect((await server.session.get(`${path}/a?watch=1`)).body).toStrictEqual(body);
  });

  test('every client receives every event, even if many watch', async () => {
    await inNamespace();
    const many = await Promise.all(Array.from({ length: 20 }, () => watch('')));
    await Promise.all(Array.from({ length: 25 }, (_, index) => create(`o${index}`)));
    await Promise.all(many.map((watcher) => watcher.until(25)));
    const [first] = many;
    for (const watcher of many) expect(watcher.summary()).toStrictEqual(first?.summary());
  });

  test('a watch of custom resources uses the version of its URL and ends with the definition', async () => {
    const crd = crdOf('Seen', {});
    await installCrd(server.session, crd);
    const watcher = await watch('', pathOf('Seen'));
    await server.session.post(pathOf('Seen'), objectOf('Seen', 'a', {}));
    await watcher.until(1);
    expect(watcher.events[0]).toMatchObject({
      type: 'ADDED',
      object: { apiVersion: 'conformance.example.com/v1', kind: 'Seen' },
    });
    await server.session.delete(`${crdsPath}/${crd.metadata.name}`);
    await watcher.ended;
  }, 60_000);
});
