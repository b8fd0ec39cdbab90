import { afterEach, beforeAll, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { Watcher } from '../../support/watcher.ts';

const complete = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

onEachServer('watches', (server) => {
  /** The resource version of the namespace before any object existed. */
  let start = '';
  const path = '/api/v1/namespaces/watched/configmaps';
  const watchers: Watcher[] = [];
  beforeAll(async () => {
    start = (await server.session.post('/api/v1/namespaces', { metadata: { name: 'watched' } })).body.metadata
      .resourceVersion;
    for (const name of ['b', 'a', 'c'])
      await server.session.post(path, { metadata: { name, labels: { a: name } } });
    await server.session.merge(`${path}/a`, { data: { k: 'v' } });
    await server.session.delete(`${path}/b`);
  });
  afterEach(() => {
    for (const watcher of watchers.splice(0)) watcher.stop();
  });

  const watch = async (query: string, target = `${path}?watch=1`) => {
    const watcher = await Watcher.start(
      server.session,
      `${target}${target.includes('?') ? '&' : '?'}${query}`,
    );
    watchers.push(watcher);
    return watcher;
  };
  /**
   * What a watch tells until its time is over, but for the bookmarks that only say how far it has come:
   * a server sends those when its clock says so.
   */
  const told = async (query: string, target?: string) => {
    const watcher = await watch(`timeoutSeconds=1&${query}`, target);
    await watcher.ended;
    return watcher.events.flatMap(({ type, object }) => {
      const { name = '(none)', annotations } = object.metadata;
      if (type === 'BOOKMARK' && !annotations) return [];
      return annotations ? `${type} ${name} ${JSON.stringify(annotations)}` : `${type} ${name}`;
    });
  };

  test('where a watch starts, and which events it sends first', async () => {
    const queries = [
      '',
      'resourceVersion=0',
      'resourceVersion=00',
      'resourceVersion=start',
      'resourceVersion=9999999999999999999',
      complete,
      `${complete}&resourceVersion=0`,
      `${complete}&resourceVersion=start`,
      ...['', '0', 'start'].map(
        (version) => `${complete.replace('true', 'false')}&resourceVersion=${version}`,
      ),
      ...['', 'resourceVersion=0', 'resourceVersion=start', complete].map(
        (query) => `allowWatchBookmarks=true&${query}`,
      ),
      `allowWatchBookmarks=true&${complete.replace('true', 'false')}`,
      ...['a%3Dc', 'a%3Db', '!a', 'zz'].map((selector) => `resourceVersion=start&labelSelector=${selector}`),
      ...['metadata.name%3Da', 'metadata.name!%3Da', 'metadata.name%3Db'].map(
        (selector) => `resourceVersion=start&fieldSelector=${selector}`,
      ),
      'labelSelector=zz&allowWatchBookmarks=true',
      'fieldSelector=metadata.name%3Da&allowWatchBookmarks=true',
      'limit=1',
    ];
    const results = await Promise.all(
      queries.map(async (query) => [query, await told(query.replace('=start', `=${start}`))] as const),
    );
    await expect(asRecorded(Object.fromEntries(results))).toMatchFileSnapshot(
      '../recorded/watch-starts.yaml',
    );
  });

  test('paths below watch/', async () => {
    const paths = [
      '/api/v1/watch/namespaces/watched/configmaps',
      '/api/v1/watch/namespaces/watched/configmaps/a',
      '/api/v1/watch/namespaces/watched/configmaps/none',
      '/api/v1/watch/configmaps?labelSelector=a%3Dc',
      '/api/v1/watch/namespaces/watched',
      '/api/v1/watch/namespaces?fieldSelector=metadata.name%3Dwatched',
      '/apis/apps/v1/watch/deployments',
      '/apis/apps/v1/watch/namespaces/watched/deployments/x',
    ];
    const results = await Promise.all(paths.map(async (target) => [target, await told('', target)] as const));
    await expect(asRecorded(Object.fromEntries(results))).toMatchFileSnapshot('../recorded/watch-paths.yaml');
  });

  test('refused parameters', async () => {
    const queries = [
      ...['x', '-5', '18446744073709551616', '%2B1', '1.0'].map((version) => `resourceVersion=${version}`),

      `${complete}&resourceVersion=x`,
      'sendInitialEvents=true',
      'sendInitialEvents=true&resourceVersionMatch=Exact',

      'resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch=Foo',
      'continue=abc',
      `${complete}&continue=abc`,
      'fieldSelector=x%3D1',
      'labelSelector=%3D',
      'timeoutSeconds=x',
      'limit=x',
      'fieldSelector=a',
    ];
    const results: Record<string, unknown> = {};
    for (const query of queries)
      results[query] = refusal(await server.session.get(`${path}?watch=1&${query}`));
    for (const target of [
      '/api/v1/watch/foo',
      '/api/v1/watch/namespaces/watched/configmaps/a?fieldSelector=metadata.name%3Db',
      '/api/v1/watch/namespaces/watched/configmaps/a?resourceVersion=x',
    ]) {
      results[target] = refusal(await server.session.get(target));
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/watch-refusals.yaml');
  });

  test('initial events are not sent for a version that never exists', async () => {
    const watcher = await watch(`${complete}&resourceVersion=999999999&timeoutSeconds=9`);
    await watcher.ended;
    expect(watcher.events).toMatchObject([
      {
        type: 'ERROR',
        object: {
          code: 504,
          reason: 'Timeout',
          message: expect.stringMatching(/^Timeout: Too large resource version: 999999999, current: \d+$/),
          details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
        },
      },
    ]);
  });

  test('the events are lines of JSON', async () => {
    const response = await server.session.open(
      'GET',
      `${path}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dc`,
    );
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    let text = '';
    for await (const chunk of response) text += chunk;
    const object = (await server.session.get(`${path}/c`)).body;
    expect(text.endsWith('\n')).toBe(true);
    expect(text.startsWith('{"type":"ADDED","object":{')).toBe(true);
    expect(text.split('\n')).toHaveLength(2);
    expect(JSON.parse(text)).toStrictEqual({ type: 'ADDED', object });
  });

  test('a definition ends the watches of its objects when it changes, but not by its labels', async () => {
    const crd = crdOf('Redefined', { size: { type: 'integer' } });
    await installCrd(server.session, crd);
    const watcher = await watch('', `${pathOf('Redefined')}?watch=1`);
    await server.session.merge(`${crdsPath}/${crd.metadata.name}`, { metadata: { labels: { a: 'b' } } });
    await server.session.post(pathOf('Redefined'), objectOf('Redefined', 'o1', { size: 1 }));
    await watcher.until(1);
    crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.color = {
      type: 'string',
      default: 'red',
    };
    await server.session.merge(`${crdsPath}/${crd.metadata.name}`, { spec: crd.spec });
    await watcher.ended;
    expect(watcher.summary()).toStrictEqual(['ADDED o1']);
  }, 60_000);
});
