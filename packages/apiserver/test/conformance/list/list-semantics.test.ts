import { beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { listOutcome, tokenOf } from './outcome.ts';
import { asRecorded } from '../../support/recorded.ts';

const future = '999999999';

onEachServer('lists', (server) => {
  /** The resource versions at which the list had three and five objects. */
  let three = '';
  let five = '';
  const list = '/api/v1/namespaces/semantics/configmaps';
  beforeAll(async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'semantics' } });
    for (const name of ['c5', 'c1', 'c3'])
      await server.session.post(list, { metadata: { name, labels: { a: name } } });
    three = (await server.session.get(list)).body.metadata.resourceVersion;
    for (const name of ['c4', 'c2'])
      await server.session.post(list, { metadata: { name, labels: { a: name } } });
    await server.session.merge(`${list}/c1`, { metadata: { labels: { a: 'changed' } } });
    five = (await server.session.get(list)).body.metadata.resourceVersion;
  });

  test('every combination of version, match and limit', async () => {
    const results: Record<string, unknown> = {};
    for (const version of ['', '0', '1', 'three', 'five', '00', 'x', '-1', '18446744073709551616']) {
      for (const match of ['', 'Exact', 'NotOlderThan', 'exact']) {
        for (const limit of ['', '2', '9']) {
          const parameters = new URLSearchParams();
          const resourceVersion = version.replace('three', three).replace('five', five);
          if (resourceVersion) parameters.set('resourceVersion', resourceVersion);
          if (match) parameters.set('resourceVersionMatch', match);
          if (limit) parameters.set('limit', limit);
          results[`rv=${version} ${match} limit=${limit}`] = listOutcome(
            await server.session.get(`${list}?${parameters.toString()}`),
          );
        }
      }
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/list-versions.yaml');
  });

  test('a page starts where the last one ended', async () => {
    const results: Record<string, unknown> = {};
    for (const query of [
      'limit=2',
      'limit=2&labelSelector=a',
      'limit=1&labelSelector=a%3Dc3',
      'limit=3&fieldSelector=metadata.name!%3Dc2',
    ]) {
      const pages = [];
      const versions = new Set<string>();
      let token = '';
      do {
        const answer = await server.session.get(`${list}?${query}&continue=${token}`);
        versions.add(answer.body.metadata.resourceVersion);
        pages.push(listOutcome(answer));
        token = answer.body.metadata.continue ?? '';
      } while (token !== '');
      // All pages show the same moment. It may be later than the last change here, because a real server also writes objects.
      expect(versions.size).toBe(1);
      expect(Number([...versions][0])).toBeGreaterThanOrEqual(Number(five));
      results[query] = pages;
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/list-pages.yaml');
  });

  test('continue tokens', async () => {
    const v = 'meta.k8s.io/v1';
    const at = Number(five);
    const tokens: Record<string, unknown> = {
      'the moment, a key': { v, rv: at, start: '/c2\0' },
      'without a slash': { v, rv: at, start: 'c2' },
      now: { v, rv: -1, start: 'c4' },
      'now, in other words': { v, rv: -7, start: 'c4' },
      'behind the end': { v, rv: -1, start: 'zzz' },
      'no object': [],
      'a number': 5,
      null: 'null',
      empty: {},
      'not JSON': 'oops',
      'cut off': '{',
      'another version': { v: 'v2', rv: 5, start: 'x' },
      'no revision': { v, start: 'x' },
      'revision 0': { v, rv: 0, start: 'x' },
      'a text as revision': { v, rv: 'x', start: 'x' },
      'half a revision': { v, rv: 5.5, start: 'x' },
      'no start': { v, rv: at },
      'an empty start': { v, rv: at, start: '' },
      'a number as start': { v, rv: at, start: 5 },
      'a way out': { v, rv: at, start: '../secrets' },
      'a way out behind': { v, rv: at, start: 'a/../../secrets' },
      slashes: { v, rv: at, start: 'c2//' },
      'a slash behind': { v, rv: at, start: 'c2/' },
    };
    const results: Record<string, unknown> = {};
    for (const [name, content] of Object.entries(tokens)) {
      results[name] = listOutcome(await server.session.get(`${list}?limit=2&continue=${tokenOf(content)}`));
    }
    for (const text of ['!!!', `${tokenOf({ v, rv: 1, start: 'x' })}==`, 'a b']) {
      results[text] = listOutcome(await server.session.get(`${list}?continue=${encodeURIComponent(text)}`));
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/continue-tokens.yaml');
  });

  test('parameters that exclude each other or are invalid', async () => {
    const token = tokenOf({ v: 'meta.k8s.io/v1', rv: Number(five), start: '/c2' });
    const queries = [
      'limit=-1',
      'limit=0',
      'limit=',
      'limit=1.5',
      'limit=0x1',
      'limit=%201',
      'limit=9223372036854775808',
      'limit=1&limit=2',

      'timeoutSeconds=-1',
      'timeoutSeconds=',
      'timeoutSeconds=1e3',
      'watch=0',
      'watch=false',
      'allowWatchBookmarks=x',

      'sendInitialEvents=',
      'sendInitialEvents=false',
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      ...[
        'resourceVersion=0',
        `resourceVersion=${five}`,
        'resourceVersion=x',
        'resourceVersionMatch=Exact',
      ].map((query) => `continue=TOKEN&${query}`),
      'continue=TOKEN&resourceVersion=0&resourceVersionMatch=NotOlderThan',
      'continue=abc&resourceVersion=x',
    ];
    const results: Record<string, unknown> = {};
    for (const query of queries) {
      results[query.replace(five, 'five')] = listOutcome(
        await server.session.get(`${list}?${query.replace('TOKEN', token)}`),
      );
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/list-options.yaml');
  });

  test('a list of all namespaces is sorted by namespace, and so are its pages', async () => {
    for (const name of ['semantics-b', 'semantics-a']) {
      await server.session.post('/api/v1/namespaces', { metadata: { name } });
      await server.session.post(`/api/v1/namespaces/${name}/configmaps`, {
        metadata: { name: 'x', labels: { all: '' } },
      });
    }
    await server.session.merge(`${list}/c3`, { metadata: { labels: { all: '' } } });
    const first = (await server.session.get('/api/v1/configmaps?labelSelector=all&limit=2')).body;
    const namespaces = ({ items }: any) => items.map((item: any) => item.metadata.namespace);
    expect(namespaces(first)).toStrictEqual(['semantics-a', 'semantics-b']);
    const { start } = JSON.parse(Buffer.from(first.metadata.continue, 'base64url').toString());
    expect(['semantics-b/x\0', '/semantics-b/x\0']).toContain(start);
    const next = `/api/v1/configmaps?labelSelector=all&limit=2&continue=${first.metadata.continue}`;
    expect(namespaces((await server.session.get(next)).body)).toStrictEqual(['semantics']);
  });

  test('a wait for a future version times out', async () => {
    const token = tokenOf({ v: 'meta.k8s.io/v1', rv: Number(future), start: 'a' });
    const queries = [
      `resourceVersion=${future}`,
      `resourceVersion=${future}&resourceVersionMatch=Exact`,
      `resourceVersion=${future}&limit=1`,
      'resourceVersion=18446744073709551615',
      `continue=${token}`,
    ];
    const answers = await Promise.all(queries.map((query) => server.session.get(`${list}?${query}`)));
    for (const { body } of answers) {
      expect(body).toMatchObject({
        code: 504,
        reason: 'Timeout',
        message: expect.stringMatching(
          /^Timeout: Too large resource version: (999999999|18446744073709551615), current: \d+$/,
        ),
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      });
    }
  });

  test('a wait for a near version ends when it exists', async () => {
    const { resourceVersion } = (await server.session.get(list)).body.metadata;
    const waiting = server.session.get(`${list}?resourceVersion=${Number(resourceVersion) + 1}`);
    await server.session.merge(`${list}/c5`, { data: { seen: 'yes' } });
    const { body } = await waiting;
    expect(body.items.at(-1).data).toStrictEqual({ seen: 'yes' });
  });
});
