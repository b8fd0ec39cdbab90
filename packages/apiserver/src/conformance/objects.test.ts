import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestEnvironment } from '../test-environment/test-environment.ts';
import { configMaps } from './fixtures.ts';
import { normalize, refusal } from './normalize.ts';
import { asRecorded } from './recorded.ts';
import { servers } from './servers.ts';
import type { Session } from './session.ts';

describe.each(servers)('objects on $name', (server) => {
  let environment: TestEnvironment;
  let session: Session;
  beforeAll(async () => {
    ({ environment, session } = await server.start());
  }, 90_000);
  afterAll(async () => {
    session.close();
    await environment.stop();
  });

  const create = async (name: string, extra: object = {}) =>
    (await session.post(configMaps, { metadata: { name }, ...extra })).body;

  test('the server sets uid, creation time, namespace and resource version', async () => {
    const sent = {
      metadata: {
        name: 'set',
        uid: 'mine',
        creationTimestamp: '2020-01-01T00:00:00Z',
        deletionTimestamp: '2020-01-01T00:00:00Z',
        selfLink: '/x',
        labels: {},
        annotations: null,
      },
      data: { key: 'value' },
    };
    const { code, body } = await session.post(configMaps, sent);
    expect(code).toBe(201);
    expect(normalize(body)).toStrictEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'set', namespace: 'default' },
      data: { key: 'value' },
    });
    expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(body.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(body.metadata.creationTimestamp).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(body.metadata.creationTimestamp).not.toBe('2020-01-01T00:00:00Z');
    expect((await session.get(`${configMaps}/set`)).body).toStrictEqual(body);
  });

  test('generateName makes different names', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => session.post(configMaps, { metadata: { generateName: 'gen-' } })),
    );
    const names = answers.map(({ body }) => body.metadata.name);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test.each([
    [
      'no name',
      { metadata: {} },
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      'a body that is no object',
      [1],
      400,
      expect.stringContaining('json: cannot unmarshal array into Go value'),
    ],
    [
      'metadata of a wrong type',
      { metadata: 5 },
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ],
    [
      'a label of a wrong type',
      { metadata: { name: 'a', labels: { a: 1 } } },
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'another kind',
      { apiVersion: 'v1', kind: 'Foo', metadata: { name: 'a' } },
      400,
      'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'another version',
      { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } },
      400,
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'another namespace',
      { metadata: { name: 'a', namespace: 'x' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'a resource version',
      { metadata: { name: 'rv', resourceVersion: '1' } },
      500,
      'resourceVersion should not be set on objects to be created',
    ],
  ])('create refuses %s', async (_, body, code, message) => {
    const answer = await session.post(configMaps, body);
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', message, code });
  });

  test('create refuses bad metadata with a cause for each fault', async () => {
    const metadata = {
      name: 'A_b',
      labels: { '-x': '!', 'a/b/c': 'x', '/a': 'x', 'x/': 'y' },
      annotations: { 'b c': 'd' },
      finalizers: ['a b', 'x', '/'],
      ownerReferences: [
        { name: '' },
        { apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' },
        { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'b', controller: true },
        { apiVersion: 'v1', kind: 'B', name: 'b', uid: 'c', controller: true },
      ],
    };
    await expect(asRecorded(refusal(await session.post(configMaps, { metadata })))).toMatchFileSnapshot(
      'recorded/bad-metadata.yaml',
    );
    const long = { name: 'a'.repeat(254), labels: { ['a'.repeat(64)]: 'a'.repeat(64) } };
    await expect(asRecorded(refusal(await session.post(configMaps, { metadata: long })))).toMatchFileSnapshot(
      'recorded/long-names.yaml',
    );
  });

  test('each kind has its rule for names', async () => {
    const refusals: Record<string, unknown> = {};
    for (const [path, name] of [
      ['/api/v1/namespaces', 'a.b'],
      ['/api/v1/namespaces', 'A_b'],
      ['/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', 'a:b/c'],
    ]) {
      refusals[`${path}/${name}`] = refusal(await session.post(`${path}`, { metadata: { name } }));
    }
    await expect(asRecorded(refusals)).toMatchFileSnapshot('recorded/name-rules.yaml');
  });

  test('a missing namespace wins over a bad name', async () => {
    const answer = await session.post('/api/v1/namespaces/nope/configmaps', { metadata: { name: 'X!' } });
    expect(answer.body).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nope" not found',
      details: { name: 'nope', kind: 'namespaces' },
    });
  });

  test('a name can be taken only once', async () => {
    await create('taken');
    const answer = await session.post(configMaps, { metadata: { name: 'taken' } });
    expect(answer.body).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "taken" already exists',
      details: { name: 'taken', kind: 'configmaps' },
    });
  });

  test.each([
    ['GET', undefined],
    ['PUT', { metadata: { name: 'nope' } }],
    ['DELETE', undefined],
  ])('%s of a missing object is 404', async (method, body) => {
    const answer = await session.send(method, `${configMaps}/nope`, { body });
    expect(answer.body).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "nope" not found',
      details: { name: 'nope', kind: 'configmaps' },
    });
  });

  test('an update needs the newest resource version, or none', async () => {
    const first = await create('updated', { data: { a: '1' } });
    const path = `${configMaps}/updated`;
    const second = await session.put(path, { ...first, data: { a: '2' } });
    expect(second.code).toBe(200);
    expect(Number(second.body.metadata.resourceVersion)).toBeGreaterThan(
      Number(first.metadata.resourceVersion),
    );
    expect(second.body.metadata).toMatchObject({
      uid: first.metadata.uid,
      creationTimestamp: first.metadata.creationTimestamp,
    });
    expect(refusal(await session.put(path, { ...first, data: { a: '3' } }))).toStrictEqual({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "updated": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(
      (await session.put(path, { metadata: { name: 'updated' }, data: { a: '4' } })).body.data,
    ).toStrictEqual({ a: '4' });
  });

  test('a write that changes nothing keeps the resource version', async () => {
    const first = await create('same', { data: { a: '1' } });
    const path = `${configMaps}/same`;
    const version = first.metadata.resourceVersion;
    expect((await session.put(path, first)).body.metadata.resourceVersion).toBe(version);
    expect((await session.merge(path, { data: { a: '1' } })).body.metadata.resourceVersion).toBe(version);
    expect((await session.jsonPatch(path, [])).body.metadata.resourceVersion).toBe(version);
  });

  test('an update is of the object of its URL', async () => {
    const first = await create('named');
    const path = `${configMaps}/named`;
    expect(refusal(await session.put(path, { metadata: { name: 'other' } }))).toMatchObject({
      code: 400,
      message: 'the name of the object (other) does not match the name on the URL (named)',
    });
    expect(refusal(await session.put(path, { data: {} }))).toMatchObject({
      code: 400,
      message: 'the name of the object (named based on URL) was undeterminable: name must be provided',
    });
    expect(refusal(await session.put(path, { metadata: { name: 'named', uid: 'xx' } }))).toMatchObject({
      code: 409,
      message: expect.stringContaining(
        `StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/named, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: xx, UID in object meta: ${first.metadata.uid}`,
      ),
    });
  });

  test('dryRun answers as if it were done, and stores nothing', async () => {
    const created = await session.post(`${configMaps}?dryRun=All`, { metadata: { name: 'dry' } });
    expect(created.code).toBe(201);
    expect(created.body.metadata.uid).toBeDefined();
    expect(created.body.metadata.resourceVersion).toBeUndefined();
    expect((await session.get(`${configMaps}/dry`)).code).toBe(404);
    const stored = await create('wet', { data: { a: '1' } });
    const path = `${configMaps}/wet`;
    const patched = await session.merge(`${path}?dryRun=All`, { data: { a: '2' } });
    expect(patched.body).toMatchObject({
      data: { a: '2' },
      metadata: { resourceVersion: stored.metadata.resourceVersion },
    });
    expect((await session.delete(`${path}?dryRun=All`)).body.status).toBe('Success');
    expect((await session.get(path)).body).toStrictEqual(stored);
  });

  test('wrong options are refused', async () => {
    const query = 'fieldValidation=foo&dryRun=x';
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foo' };
    await expect(
      asRecorded({
        create: refusal(await session.post(`${configMaps}?${query}`, { metadata: { name: 'a' } })),
        patch: refusal(await session.merge(`${configMaps}/a?force=true`, {})),
        deleteByQuery: refusal(await session.delete(`${configMaps}/a?propagationPolicy=Foo`)),
        deleteByBody: refusal(await session.delete(`${configMaps}/a`, options)),
      }),
    ).toMatchFileSnapshot('recorded/options.yaml');
    expect((await session.delete(`${configMaps}/a`, { kind: 'Foo', apiVersion: 'v1' })).body.message).toBe(
      'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    );
  });

  test('an unknown field of metadata is warned about, or refused', async () => {
    const raw = '{"metadata":{"name":"unknown","foo":1},"data":{"a":"1","a":"2"}}';
    const warned = await session.send('POST', `${configMaps}?dryRun=All`, { raw });
    expect(warned.code).toBe(201);
    expect(warned.body.metadata.foo).toBeUndefined();
    expect(warned.body.data).toStrictEqual({ a: '2' });
    expect(warned.warnings).toStrictEqual(['unknown field "metadata.foo"', 'duplicate field "data.a"']);
    expect(
      (await session.send('POST', `${configMaps}?dryRun=All&fieldValidation=Ignore`, { raw })).warnings,
    ).toStrictEqual([]);
    expect(
      refusal(await session.send('POST', `${configMaps}?fieldValidation=Strict`, { raw })),
    ).toStrictEqual({
      code: 400,
      reason: 'BadRequest',
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.foo", duplicate field "data.a"',
    });
  });

  test('the generation counts what is asked for, in the kinds that have one', async () => {
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
    const created = await session.post(deployments, {
      metadata: { name: 'counted', generation: 7 },
      spec,
      status: { replicas: 5 },
    });
    expect(created.body.metadata.generation).toBe(1);
    expect(created.body.status?.replicas).toBeUndefined();
    const path = `${deployments}/counted`;
    const versions = [
      await session.merge(path, { metadata: { labels: { x: 'y' } } }),
      await session.merge(path, { spec: { replicas: 2 }, status: { replicas: 5 } }),
      await session.merge(`${path}/status`, { spec: { replicas: 9 }, status: { observedGeneration: 2 } }),
    ];
    expect(versions.map(({ body }) => body.metadata.generation)).toStrictEqual([1, 2, 2]);
    expect(versions.at(-1)?.body).toMatchObject({ spec: { replicas: 2 }, status: { observedGeneration: 2 } });
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    expect(
      (await session.post(classes, { metadata: { name: 'p' }, value: 5 })).body.metadata.generation,
    ).toBe(1);
    expect((await session.merge(`${classes}/p`, { description: 'd' })).body.metadata.generation).toBe(2);
  });

  test('both groups of events show the same objects', async () => {
    const core = '/api/v1/namespaces/default/events';
    const fresh = '/apis/events.k8s.io/v1/namespaces/default/events';
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
    await session.post(core, {
      metadata: { name: 'e' },
      involvedObject,
      message: 'm',
      reason: 'R',
      type: 'Normal',
      count: 2,
    });
    expect((await session.get(`${fresh}/e`)).body).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: involvedObject,
      note: 'm',
      reason: 'R',
      deprecatedCount: 2,
    });
    await session.merge(`${fresh}/e`, { note: 'n' });
    expect((await session.get(`${core}/e`)).body).toMatchObject({
      apiVersion: 'v1',
      involvedObject,
      message: 'n',
      count: 2,
    });
    expect((await session.get(`${core}/e`)).body.note).toBeUndefined();
  });

  describe('patches', () => {
    const path = `${configMaps}/patched`;

    test('a merge patch merges, and null removes', async () => {
      await create('patched', { data: { a: '1', b: '2' } });
      const answer = await session.merge(path, {
        data: { a: null, c: '3' },
        metadata: { labels: { x: 'y' } },
      });
      expect(answer.code).toBe(200);
      expect(normalize(answer.body)).toMatchObject({
        data: { b: '2', c: '3' },
        metadata: { labels: { x: 'y' } },
      });
    });

    test('a JSON patch adds, removes, replaces, copies, moves and tests', async () => {
      const answer = await session.jsonPatch(path, [
        { op: 'test', path: '/data/b', value: '2' },
        { op: 'test', path: '/nope', value: null },
        { op: 'add', path: '/metadata/labels/example.com~1l', value: 'v' },
        { op: 'copy', from: '/data/b', path: '/data/d' },
        { op: 'move', from: '/data/c', path: '/data/e' },
        { op: 'replace', path: '/data/b', value: 'new' },
        { op: 'add', path: '/metadata/finalizers', value: ['example.com/a'] },
        { op: 'add', path: '/metadata/finalizers/0', value: 'example.com/b' },
        { op: 'add', path: '/metadata/finalizers/-', value: 'example.com/c' },
        { op: 'remove', path: '/metadata/finalizers/1' },
      ]);
      expect(normalize(answer.body)).toMatchObject({
        data: { b: 'new', d: '2', e: '3' },
        metadata: {
          labels: { x: 'y', 'example.com/l': 'v' },
          finalizers: ['example.com/b', 'example.com/c'],
        },
      });
    });

    test.each([
      ['a failing test', [{ op: 'test', path: '/data/b', value: 'other' }]],
      ['a missing path', [{ op: 'remove', path: '/nope' }]],
      ['an unknown operation', [{ op: 'foo', path: '/data' }]],
      ['a path without slash', [{ op: 'add', path: 'metadata', value: {} }]],
      ['an index beyond the end', [{ op: 'add', path: '/metadata/finalizers/9', value: 'a.b/c' }]],
    ])('%s fails the whole JSON patch', async (_, operations) => {
      const before = (await session.get(path)).body;
      const answer = await session.jsonPatch(path, [
        { op: 'add', path: '/data/z', value: 'z' },
        ...operations,
      ]);
      expect(answer.body).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
        details: {},
      });
      expect((await session.get(path)).body).toStrictEqual(before);
    });

    test.each([
      [
        'merge',
        '[]',
        400,
        'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
      [
        'json',
        '{}',
        400,
        'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      ],
      [
        'json',
        '["x"]',
        400,
        'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
      ],
      ['merge', 'x', 400, expect.stringMatching(/^error decoding patch: /)],
      [
        'merge',
        '{"metadata":{"name":"x"}}',
        400,
        'the name of the object (x) does not match the name on the URL (patched)',
      ],
      [
        'merge',
        '{"metadata":{"namespace":"x"}}',
        400,
        'the namespace of the provided object does not match the namespace sent on the request',
      ],
      [
        'merge',
        '{"metadata":{"resourceVersion":"1"}}',
        409,
        expect.stringContaining('the object has been modified'),
      ],
      [
        'merge',
        '{"metadata":{"uid":"x"}}',
        422,
        'ConfigMap "patched" is invalid: metadata.uid: Invalid value: "x": field is immutable',
      ],
      ['foo', '{}', 415, '415: Unsupported Media Type'],
    ])('a %s patch of %s is refused', async (type, raw, code, message) => {
      const contentType = type === 'foo' ? 'application/json' : `application/${type}-patch+json`;
      const answer = await session.send('PATCH', path, { raw, contentType });
      expect(answer.body).toMatchObject({ code, message });
    });

    test('a missing object wins over a bad patch', async () => {
      const answer = await session.send('PATCH', `${configMaps}/nope`, {
        raw: 'x',
        contentType: 'application/merge-patch+json',
      });
      expect(answer.code).toBe(404);
    });
  });

  describe('deletion', () => {
    test('answers a Status, and the object is gone', async () => {
      const { metadata } = await create('gone');
      expect((await session.delete(`${configMaps}/gone`)).body).toStrictEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'gone', kind: 'configmaps', uid: metadata.uid },
      });
      expect((await session.get(`${configMaps}/gone`)).code).toBe(404);
    });

    test('some kinds answer the object', async () => {
      const path = '/api/v1/namespaces/default/serviceaccounts';
      await session.post(path, { metadata: { name: 'account' } });
      expect((await session.delete(`${path}/account`)).body).toMatchObject({
        kind: 'ServiceAccount',
        metadata: { name: 'account' },
      });
    });

    test('waits for finalizers', async () => {
      const path = `${configMaps}/held`;
      await create('held', { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
      const marked = await session.delete(path);
      expect(marked.body.metadata).toMatchObject({
        deletionTimestamp: expect.stringMatching(/Z$/),
        deletionGracePeriodSeconds: 0,
        finalizers: ['example.com/hold'],
      });
      expect((await session.delete(path)).body).toStrictEqual(marked.body);
      expect(refusal(await session.post(configMaps, { metadata: { name: 'held' } }))).toMatchObject({
        code: 409,
        message: 'object is being deleted: configmaps "held" already exists',
      });
      const added = await session.merge(path, {
        metadata: { finalizers: ['example.com/hold', 'example.com/new'] },
      });
      await expect(asRecorded(refusal(added))).toMatchFileSnapshot('recorded/finalizer-of-deleted.yaml');
      const relabeled = await session.merge(path, {
        metadata: { deletionTimestamp: null, labels: { a: 'b' } },
      });
      expect(relabeled.body.metadata.deletionTimestamp).toBe(marked.body.metadata.deletionTimestamp);
      const released = await session.merge(path, { metadata: { finalizers: null } });
      expect(released.code).toBe(200);
      expect(released.body.metadata.resourceVersion).toBe(relabeled.body.metadata.resourceVersion);
      expect((await session.get(path)).code).toBe(404);
    });

    test('checks preconditions', async () => {
      const { metadata } = await create('checked');
      const path = `${configMaps}/checked`;
      expect(refusal(await session.delete(path, { preconditions: { uid: 'zz' } }))).toMatchObject({
        code: 409,
        message: `Operation cannot be fulfilled on ConfigMap "checked": the UID in the precondition (zz) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      });
      expect(refusal(await session.delete(path, { preconditions: { resourceVersion: '1' } }))).toMatchObject({
        code: 409,
        message: `Operation cannot be fulfilled on ConfigMap "checked": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
      });
      const { uid, resourceVersion } = metadata;
      expect((await session.delete(path, { preconditions: { uid, resourceVersion } })).code).toBe(200);
    });

    test('propagation policies leave finalizers for the garbage collector', async () => {
      await create('orphaned');
      const answer = await session.delete(`${configMaps}/orphaned?propagationPolicy=Orphan`);
      expect(answer.body.metadata.finalizers).toStrictEqual(['orphan']);
    });

    test('of a collection answers what it deleted, by selector', async () => {
      const path = '/api/v1/namespaces/kube-public/configmaps';
      for (const name of ['c1', 'c2', 'c3']) {
        await session.post(path, { metadata: { name, labels: { keep: name === 'c2' ? 'yes' : 'no' } } });
      }
      const answer = await session.delete(`${path}?labelSelector=keep%3Dno`);
      expect(answer.body).toMatchObject({
        kind: 'ConfigMapList',
        items: [{ metadata: { name: 'c1' } }, { metadata: { name: 'c3' } }],
      });
      const left = await session.get(path);
      expect(
        left.body.items.map((item: any) => item.metadata.name).filter((name: string) => /^c\d$/.test(name)),
      ).toStrictEqual(['c2']);
    });

    test('namespaces end by and by, and the first ones stay', async () => {
      await session.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
      const answer = await session.delete('/api/v1/namespaces/ending');
      expect(normalize(answer.body)).toStrictEqual({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'ending', labels: { 'kubernetes.io/metadata.name': 'ending' } },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Terminating' },
      });
      expect(refusal(await session.delete('/api/v1/namespaces/kube-system'))).toStrictEqual({
        code: 403,
        reason: 'Forbidden',
        message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted',
      });
      expect((await session.delete('/api/v1/namespaces')).code).toBe(405);
    });
  });
});
