import { expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

/** Collection paths of the kinds whose writes differ. */
const folders: Record<string, string> = {
  configmaps: '/api/v1',
  leases: '/apis/coordination.k8s.io/v1',
  roles: '/apis/rbac.authorization.k8s.io/v1',
};

onEachServer('objects', (server) => {
  const create = async (name: string, extra: object = {}) =>
    (await server.session.post(configMaps, { metadata: { name }, ...extra })).body;

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
    const { code, body } = await server.session.post(configMaps, sent);
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
    expect((await server.session.get(`${configMaps}/set`)).body).toStrictEqual(body);
  });

  test('generateName generates different names', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.session.post(configMaps, { metadata: { generateName: 'gen-' } })),
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
      'a body that is not an object',
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
    const answer = await server.session.post(configMaps, body);
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', message, code });
  });

  test('create refuses invalid metadata with a cause for each error', async () => {
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
    await expect(
      asRecorded(refusal(await server.session.post(configMaps, { metadata }))),
    ).toMatchFileSnapshot('../recorded/bad-metadata.yaml');
    const long = { name: 'a'.repeat(254), labels: { ['a'.repeat(64)]: 'a'.repeat(64) } };
    await expect(
      asRecorded(refusal(await server.session.post(configMaps, { metadata: long }))),
    ).toMatchFileSnapshot('../recorded/long-names.yaml');
  });

  test('each kind has its own rule for names', async () => {
    const refusals: Record<string, unknown> = {};
    for (const [path, name] of [
      ['/api/v1/namespaces', 'a.b'],
      ['/api/v1/namespaces', 'A_b'],
      ['/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', 'a:b/c'],
    ]) {
      refusals[`${path}/${name}`] = refusal(await server.session.post(`${path}`, { metadata: { name } }));
    }
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../recorded/name-rules.yaml');
  });

  test('a missing namespace wins over a bad name', async () => {
    const answer = await server.session.post('/api/v1/namespaces/nope/configmaps', {
      metadata: { name: 'X!' },
    });
    expect(answer.body).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nope" not found',
      details: { name: 'nope', kind: 'namespaces' },
    });
  });

  test('a name can be used only once', async () => {
    await create('taken');
    const answer = await server.session.post(configMaps, { metadata: { name: 'taken' } });
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
    const answer = await server.session.send(method, `${configMaps}/nope`, { body });
    expect(answer.body).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "nope" not found',
      details: { name: 'nope', kind: 'configmaps' },
    });
  });

  test('an update needs the latest resource version or none', async () => {
    const first = await create('updated', { data: { a: '1' } });
    const path = `${configMaps}/updated`;
    const second = await server.session.put(path, { ...first, data: { a: '2' } });
    expect(second.code).toBe(200);
    expect(Number(second.body.metadata.resourceVersion)).toBeGreaterThan(
      Number(first.metadata.resourceVersion),
    );
    expect(second.body.metadata).toMatchObject({
      uid: first.metadata.uid,
      creationTimestamp: first.metadata.creationTimestamp,
    });
    expect(refusal(await server.session.put(path, { ...first, data: { a: '3' } }))).toStrictEqual({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "updated": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(
      (await server.session.put(path, { metadata: { name: 'updated' }, data: { a: '4' } })).body.data,
    ).toStrictEqual({ a: '4' });
  });

  test('a write that changes nothing keeps the resource version', async () => {
    const first = await create('same', { data: { a: '1' } });
    const path = `${configMaps}/same`;
    const version = first.metadata.resourceVersion;
    expect((await server.session.put(path, first)).body.metadata.resourceVersion).toBe(version);
    expect((await server.session.merge(path, { data: { a: '1' } })).body.metadata.resourceVersion).toBe(
      version,
    );
    expect((await server.session.jsonPatch(path, [])).body.metadata.resourceVersion).toBe(version);
  });

  test('an update must be of the object in its URL', async () => {
    const first = await create('named');
    const path = `${configMaps}/named`;
    expect(refusal(await server.session.put(path, { metadata: { name: 'other' } }))).toMatchObject({
      code: 400,
      message: 'the name of the object (other) does not match the name on the URL (named)',
    });
    expect(refusal(await server.session.put(path, { data: {} }))).toMatchObject({
      code: 400,
      message: 'the name of the object (named based on URL) was undeterminable: name must be provided',
    });
    expect(refusal(await server.session.put(path, { metadata: { name: 'named', uid: 'xx' } }))).toMatchObject(
      {
        code: 409,
        message: expect.stringContaining(
          `StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/named, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: xx, UID in object meta: ${first.metadata.uid}`,
        ),
      },
    );
  });

  test.each([
    ['dryRun=All&', 'POST', 'configmaps'],
    ['', 'POST', 'configmaps'],
    ['', 'PUT', 'leases'],
    ['', 'PUT', 'roles'],
    ['', 'APPLY', 'configmaps'],
    ['', 'PATCH', 'leases'],
    ['', 'PATCH', 'roles'],
  ])('resource versions in objects: %s%s %s', async (query, method, plural) => {
    const title = `${query.slice(0, 3)}${method}-${plural}`.toLowerCase();
    const collection = `${folders[plural]}/namespaces/default/${plural}`;
    const write = (name: string, resourceVersion: string | null, verb = method) => {
      const body = {
        ...(verb === 'APPLY' && { apiVersion: 'v1', kind: 'ConfigMap' }),
        metadata: { name, resourceVersion, labels: { a: `${resourceVersion}` } },
      };
      const own = `${collection}/${name}?fieldManager=a&${query}`;
      if (verb === 'POST') return server.session.post(`${collection}?${query}`, body);
      if (verb === 'PUT') return server.session.put(own, body);
      const type = verb === 'APPLY' ? 'application/apply-patch+yaml' : 'application/merge-patch+json';
      return server.session.send('PATCH', own, { raw: JSON.stringify(body), contentType: type });
    };
    const said: Record<string, unknown> = {};
    for (const [index, version] of [
      null,
      '',
      '0',
      '00',
      '7',
      'abc',
      '-1',
      '99999999999999999999',
    ].entries()) {
      const name = `${title}-${index}`;
      for (const round of ['new', 'there']) {
        if (method === 'PATCH') await write(name, null, 'POST');
        const answer = await write(name, version);
        const { code, body } = answer;
        const kept = body.metadata?.resourceVersion === version ? 'kept' : 'set';
        said[`${version} ${round}`] = body.kind === 'Status' ? refusal(answer) : { code, version: kept };
      }
    }
    await expect(asRecorded(said)).toMatchFileSnapshot(`../recorded/sent-versions/${title}.yaml`);
  });

  test('a dry run answers as if the write had happened, and stores nothing', async () => {
    const created = await server.session.post(`${configMaps}?dryRun=All`, { metadata: { name: 'dry' } });
    expect(created.code).toBe(201);
    expect(created.body.metadata.uid).toBeDefined();
    expect(created.body.metadata.resourceVersion).toBeUndefined();
    expect((await server.session.get(`${configMaps}/dry`)).code).toBe(404);
    const stored = await create('wet', { data: { a: '1' } });
    const path = `${configMaps}/wet`;
    const patched = await server.session.merge(`${path}?dryRun=All`, { data: { a: '2' } });
    expect(patched.body).toMatchObject({
      data: { a: '2' },
      metadata: { resourceVersion: stored.metadata.resourceVersion },
    });
    expect((await server.session.delete(`${path}?dryRun=All`)).body.status).toBe('Success');
    expect((await server.session.get(path)).body).toStrictEqual(stored);
  });

  test('wrong options are refused', async () => {
    const query = 'fieldValidation=foo&dryRun=x';
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foo' };
    await expect(
      asRecorded({
        create: refusal(await server.session.post(`${configMaps}?${query}`, { metadata: { name: 'a' } })),
        patch: refusal(await server.session.merge(`${configMaps}/a?force=true`, {})),
        deleteByQuery: refusal(await server.session.delete(`${configMaps}/a?propagationPolicy=Foo`)),
        deleteByBody: refusal(await server.session.delete(`${configMaps}/a`, options)),
      }),
    ).toMatchFileSnapshot('../recorded/options.yaml');
    expect(
      (await server.session.delete(`${configMaps}/a`, { kind: 'Foo', apiVersion: 'v1' })).body.message,
    ).toBe('no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"');
  });

  test('an unknown field of metadata causes a warning or a refusal', async () => {
    const raw = '{"metadata":{"name":"unknown","foo":1},"data":{"a":"1","a":"2"}}';
    const warned = await server.session.send('POST', `${configMaps}?dryRun=All`, { raw });
    expect(warned.code).toBe(201);
    expect(warned.body.metadata.foo).toBeUndefined();
    expect(warned.body.data).toStrictEqual({ a: '2' });
    expect(warned.warnings).toStrictEqual(['unknown field "metadata.foo"', 'duplicate field "data.a"']);
    expect(
      (await server.session.send('POST', `${configMaps}?dryRun=All&fieldValidation=Ignore`, { raw }))
        .warnings,
    ).toStrictEqual([]);
    expect(
      refusal(await server.session.send('POST', `${configMaps}?fieldValidation=Strict`, { raw })),
    ).toStrictEqual({
      code: 400,
      reason: 'BadRequest',
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.foo", duplicate field "data.a"',
    });
  });

  test('the generation counts changes of the desired state, in kinds that have one', async () => {
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
    const created = await server.session.post(deployments, {
      metadata: { name: 'counted', generation: 7 },
      spec,
      status: { replicas: 5 },
    });
    expect(created.body.metadata.generation).toBe(1);
    expect(created.body.status?.replicas).toBeUndefined();
    const path = `${deployments}/counted`;
    const versions = [
      await server.session.merge(path, { metadata: { labels: { x: 'y' } } }),
      await server.session.merge(path, { spec: { replicas: 2 }, status: { replicas: 5 } }),
      await server.session.merge(`${path}/status`, {
        spec: { replicas: 9 },
        status: { observedGeneration: 2 },
      }),
    ];
    expect(versions.map(({ body }) => body.metadata.generation)).toStrictEqual([1, 2, 2]);
    expect(versions.at(-1)?.body).toMatchObject({ spec: { replicas: 2 }, status: { observedGeneration: 2 } });
    // A kind without a spec.
    const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
    const slice = { metadata: { name: 'counted' }, addressType: 'IPv4', endpoints: [] };
    expect((await server.session.post(slices, slice)).body.metadata.generation).toBe(1);
    const endpoints = [{ addresses: ['10.0.0.1'] }];
    expect((await server.session.merge(`${slices}/counted`, { endpoints })).body.metadata.generation).toBe(2);
  });

  test('both groups of events show the same objects', async () => {
    // A separate namespace, because a real control plane writes events about its Services to `default`.
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'two-groups' } });
    const core = '/api/v1/namespaces/two-groups/events';
    const fresh = '/apis/events.k8s.io/v1/namespaces/two-groups/events';
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'two-groups' };
    await server.session.post(core, {
      metadata: { name: 'e' },
      involvedObject,
      message: 'm',
      reason: 'R',
      type: 'Normal',
      count: 2,
    });
    expect((await server.session.get(`${fresh}/e`)).body).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: involvedObject,
      note: 'm',
      reason: 'R',
      deprecatedCount: 2,
    });
    await server.session.merge(`${core}/e`, { message: 'n' });
    const { body } = await server.session.get(`${fresh}/e`);
    expect(body).toMatchObject({ regarding: involvedObject, note: 'n' });
    expect(body.message).toBeUndefined();
    expect((await server.session.get(fresh)).body.items).toMatchObject([{ note: 'n' }]);
  });
});
