import { afterEach, expect, test } from 'vitest';
import { configMaps, crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { body, entry, field, integer, metadata, tag, varint } from '../../support/protobuf-writer.ts';

const contentType = 'application/vnd.kubernetes.protobuf';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

onEachServer('protobuf', (server) => {
  const send = (method: string, path: string, raw: Buffer) =>
    server.session.send(method, path, { raw, contentType });
  afterEach(async () => {
    // Whatever a test sent, the server must still answer.
    const { body: answer } = await server.session.get('/readyz');
    if (answer !== 'ok') throw new Error(`the server is gone: ${answer}`);
  });

  test('an object is created, and the answer is JSON', async () => {
    const sent = body(
      'v1',
      'ConfigMap',
      metadata('made', entry(11, 'l', 'v')),
      entry(2, 'k', 'v'),
      entry(3, 'b', Buffer.from([0, 255])),
    );
    const { code, contentType: answered, body: made } = await send('POST', configMaps, sent);
    expect([code, answered]).toStrictEqual([201, 'application/json']);
    expect(normalize(made)).toStrictEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'made', namespace: 'default', labels: { l: 'v' } },
      data: { k: 'v' },
      binaryData: { b: 'AP8=' },
    });
    expect((await server.session.get(`${configMaps}/made`)).body).toStrictEqual(made);
  });

  test('the media type may have parameters', async () => {
    const raw = body('v1', 'ConfigMap', metadata('parameters'));
    const { code } = await server.session.send('POST', configMaps, {
      raw,
      contentType: `${contentType};a=b`,
    });
    expect(code).toBe(201);
  });

  test('a client that accepts protobuf or JSON gets an answer that it can read', async () => {
    const raw = body('v1', 'Secret', metadata('both'), entry(2, 'k', 'v'));
    const accept = `${contentType},application/json`;
    const answer = await server.session.send('POST', '/api/v1/namespaces/default/secrets', {
      raw,
      contentType,
      accept,
    });
    expect(answer.code).toBe(201);
    const { body: made } = await server.session.get('/api/v1/namespaces/default/secrets/both');
    expect(made.data).toStrictEqual({ k: 'dg==' });
  });

  test('the media type is optional', async () => {
    for (const [name, ...type] of [
      ['a', '', ''],
      ['b', 'v1', ''],
      ['c', '', 'ConfigMap'],
      ['d', 'a/b/c', 'ConfigMap'],
    ] as const) {
      const { code, body: made } = await send(
        'POST',
        configMaps,
        body(type[0], type[1], metadata(`type-${name}`)),
      );
      expect([code, made.apiVersion, made.kind]).toStrictEqual([201, 'v1', 'ConfigMap']);
    }
    const bare = Buffer.concat([Buffer.from('k8s\0'), field(2, metadata('type-e'))]);
    expect((await send('POST', configMaps, bare)).code).toBe(201);
  });

  test('an object is replaced', async () => {
    await server.session.post(configMaps, { metadata: { name: 'replaced' }, data: { old: 'x' } });
    const sent = body('v1', 'ConfigMap', metadata('replaced'), entry(2, 'new', 'y'));
    const { code, body: replaced } = await send('PUT', `${configMaps}/replaced`, sent);
    expect([code, replaced.data]).toStrictEqual([200, { new: 'y' }]);
  });

  test('a precondition on the resource version is checked', async () => {
    const { body: made } = await server.session.post(configMaps, { metadata: { name: 'versioned' } });
    const old = body('v1', 'ConfigMap', metadata('versioned', field(6, '1')));
    expect((await send('PUT', `${configMaps}/versioned`, old)).code).toBe(409);
    const current = body('v1', 'ConfigMap', metadata('versioned', field(6, made.metadata.resourceVersion)));
    expect((await send('PUT', `${configMaps}/versioned`, current)).code).toBe(200);
  });

  test('a workload keeps its fields', async () => {
    const labels = entry(1, 'app', 'web');
    const container = field(2, field(1, 'c'), field(2, 'nginx'), field(6, field(1, 'http'), integer(3, 80)));
    const template = field(3, field(1, entry(11, 'app', 'web')), field(2, container));
    const sent = body(
      'apps/v1',
      'Deployment',
      metadata('web'),
      field(2, integer(1, 0), field(2, labels), template),
    );
    const { code, body: made } = await send('POST', deployments, sent);
    expect(code).toBe(201);
    expect(made.spec).toMatchObject({
      replicas: 0,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            { name: 'c', image: 'nginx', resources: {}, ports: [{ name: 'http', containerPort: 80 }] },
          ],
        },
      },
    });
  });

  test('a CustomResourceDefinition can be sent', async () => {
    const schema = field(4, field(1, field(5, 'object'), field(38, '')));
    const closed = field(4, field(1, field(5, 'object')));
    const version = field(7, field(1, 'v1'), integer(2, 1), integer(3, 1), closed);
    const names = field(3, field(1, 'protos'), field(4, 'Proto'));
    const spec = field(2, field(1, 'conformance.example.com'), names, field(4, 'Cluster'), version);
    const sent = body(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      metadata('protos.conformance.example.com'),
      spec,
    );
    const { code, body: made } = await send('POST', crdsPath, sent);
    expect([code, made.spec.versions[0].schema]).toStrictEqual([
      201,
      { openAPIV3Schema: { type: 'object' } },
    ]);
    // A bool encoded as bytes.
    const wrong = await send('POST', crdsPath, body('', '', field(2, field(7, schema))));
    expect(refusal(wrong)).toStrictEqual({
      code: 400,
      reason: 'BadRequest',
      message:
        'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: proto: wrong wireType = 2 for field XPreserveUnknownFields',
    });
  });

  test('repeated messages are merged, and unknown fields are skipped', async () => {
    const group = Buffer.concat([tag(100, 3), integer(1, 1), tag(100, 4)]);
    const parts = [metadata('merged'), field(99, 'x'), group, field(1, entry(11, 'l', 'v'))];
    for (const fieldValidation of ['Strict', 'Warn']) {
      const path = `${configMaps}?dryRun=All&fieldValidation=${fieldValidation}`;
      const { code, body: made, warnings } = await send('POST', path, body('v1', 'ConfigMap', ...parts));
      expect([code, made.metadata.labels, warnings]).toStrictEqual([201, { l: 'v' }, []]);
    }
  });

  test('bytes that are not UTF-8 are replaced', async () => {
    const sent = body('v1', 'ConfigMap', metadata('bytes'), entry(2, 'k', Buffer.from([0xff, 0xfe, 0x61])));
    expect((await send('POST', configMaps, sent)).body.data).toStrictEqual({ k: '\uFFFD\uFFFDa' });
  });

  test('keys that mean something to JavaScript are data', async () => {
    const sent = body(
      'v1',
      'ConfigMap',
      metadata('keys'),
      entry(2, 'constructor', 'c'),
      entry(2, '__proto__', 'p'),
    );
    const { body: made } = await send('POST', configMaps, sent);
    expect(Object.entries(made.data).toSorted(([a], [b]) => (a < b ? -1 : 1))).toStrictEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
  });

  const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
  const cannotHandle = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
  const noPrefix = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
  const good = body('v1', 'ConfigMap', metadata('good'), entry(2, 'k', 'v'));

  test.each([
    ['nothing', Buffer.alloc(0), `${unrecognized}empty data (<empty>)`],
    ['an empty envelope', Buffer.from('k8s\0'), `${unrecognized}empty body (6b387300)`],
    [
      'JSON',
      Buffer.from('{"metadata":{"name":"x"}}'),
      `${unrecognized}${noPrefix} ({"metadata":{"name":"x"}})`,
    ],
    [
      'another prefix',
      Buffer.from('k8x\0hello world this is a long body of bytes'),
      `${unrecognized}${noPrefix} (6b38780068656c6c6f20776f726c6420746869732069732061206c6f6e67 ...)`,
    ],
    [
      'half of an envelope',
      good.subarray(0, 20),
      `${unrecognized}unexpected EOF (6b3873000a0f0a0276311209436f6e6669674d61)`,
    ],
    [
      'an envelope of another shape',
      Buffer.concat([Buffer.from('k8s\0'), integer(1, 1)]),
      `${unrecognized}proto: wrong wireType = 0 for field TypeMeta (6b3873000801)`,
    ],
    [
      'half of an object',
      body('v1', 'ConfigMap', metadata('x').subarray(0, 3)),
      `${cannotHandle}unexpected EOF`,
    ],
    [
      'a field of another type',
      body('v1', 'ConfigMap', integer(1, 5)),
      `${cannotHandle}proto: wrong wireType = 0 for field ObjectMeta`,
    ],
    [
      'a name of another type',
      body('v1', 'ConfigMap', field(1, integer(5, 5))),
      `${cannotHandle}proto: wrong wireType = 0 for field UID`,
    ],
    [
      'a field without a number',
      body('v1', 'ConfigMap', Buffer.from([2, 0])),
      `${cannotHandle}proto: ConfigMap: illegal tag 0 (wire type 2)`,
    ],
    [
      'the end of no group',
      body('v1', 'ConfigMap', tag(1, 4)),
      `${cannotHandle}proto: ConfigMap: wiretype end group for non-group`,
    ],
    ['a group without an end', body('v1', 'ConfigMap', tag(99, 3)), `${cannotHandle}unexpected EOF`],
    ['an unknown wire type', body('v1', 'ConfigMap', tag(99, 7)), `${cannotHandle}proto: illegal wireType 7`],
    [
      'a number without an end',
      body('v1', 'ConfigMap', Buffer.alloc(11, 0xff)),
      `${cannotHandle}proto: integer overflow`,
    ],
    [
      'a length below zero',
      body('v1', 'ConfigMap', tag(1, 2), varint(-1)),
      `${cannotHandle}proto: negative length found during unmarshaling`,
    ],
    [
      'a length beyond all',
      body('v1', 'ConfigMap', tag(1, 2), varint(2n ** 62n)),
      `${cannotHandle}unexpected EOF`,
    ],
  ])('%s is refused', async (_, raw, message) => {
    for (const method of ['POST', 'PUT']) {
      const path = method === 'POST' ? configMaps : `${configMaps}/good`;
      expect(refusal(await send(method, path, raw))).toStrictEqual({
        code: 400,
        reason: 'BadRequest',
        message,
      });
    }
  });

  const notRegistered = (kind: string, version: string) =>
    `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;

  test.each([
    [
      configMaps,
      'v1',
      'Nope',
      `Nope in version "v1" cannot be handled as a ConfigMap: ${notRegistered('Nope', 'v1')}`,
    ],
    [
      configMaps,
      'v2',
      'ConfigMap',
      `ConfigMap in version "v2" cannot be handled as a ConfigMap: ${notRegistered('ConfigMap', 'v2')}`,
    ],
    [
      configMaps,
      'v1',
      'Secret',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      configMaps,
      'v1',
      'ConfigMapList',
      'ConfigMapList in version "v1" cannot be handled as a ConfigMap: converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion',
    ],
    [
      configMaps,
      'apps/v1',
      'Deployment',
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
    ],
    [
      deployments,
      'v1',
      'Pod',
      'Pod in version "v1" cannot be handled as a Deployment: converting (v1.Pod) to (apps.Deployment): unknown conversion',
    ],
    [
      crdsPath,
      'v1',
      'ConfigMap',
      `ConfigMap in version "v1" cannot be handled as a CustomResourceDefinition: ${notRegistered('ConfigMap', 'v1')}`,
    ],
    [
      '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
      'autoscaling/v1',
      'HorizontalPodAutoscaler',
      'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
    ],
    [
      '/apis/events.k8s.io/v1/namespaces/default/events',
      'v1',
      'Event',
      'the API version in the data (v1) does not match the expected API version (events.k8s.io/v1)',
    ],
  ])(
    'to %s, a %s %s is refused, and as JSON it is refused alike',
    async (path, apiVersion, kind, message) => {
      const expected = { code: 400, reason: 'BadRequest', message };
      expect(refusal(await send('POST', path, body(apiVersion, kind, metadata('x'))))).toStrictEqual(
        expected,
      );
      expect(
        refusal(await server.session.post(path, { apiVersion, kind, metadata: { name: 'x' } })),
      ).toStrictEqual(expected);
    },
  );

  test('a missing name is refused', async () => {
    const { code, body: refused } = await send('POST', configMaps, body('v1', 'ConfigMap'));
    expect([code, refused.message]).toStrictEqual([
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ]);
  });

  test('protobuf is not JSON', async () => {
    const { code, body: refused } = await server.session.send('POST', configMaps, { raw: good });
    expect(code).toBe(400);
    expect(refused.message).toMatch(/\(6b3873000a0f0a0276311209436f6e6669674d6170[0-9a-f]* \.\.\.\)$/);
  });

  test('a patch cannot be protobuf', async () => {
    const { code } = await send('PATCH', `${configMaps}/good`, good);
    expect(code).toBe(415);
  });

  test.each(['v1', 'apps/v1', 'meta.k8s.io/v1', 'x/v9', ''])(
    'options of a deletion may be those of %j',
    async (apiVersion) => {
      const path = `${configMaps}/deleted`;
      await server.session.post(configMaps, { metadata: { name: 'deleted' } });
      const kind = apiVersion === '' ? '' : 'DeleteOptions';
      const wrong = await send('DELETE', path, body(apiVersion, kind, field(2, field(1, 'nope'))));
      expect([wrong.code, wrong.body.reason]).toStrictEqual([409, 'Conflict']);
      const right = await send('DELETE', path, body(apiVersion, kind, field(4, 'Background')));
      expect([right.code, right.body.status]).toStrictEqual([200, 'Success']);
    },
  );

  test.each([
    [body('v1', 'ConfigMap', field(2, field(1, 'nope'))), notRegistered('ConfigMap', 'v1')],
    [Buffer.from('hello'), noPrefix],
    [Buffer.from('k8s\0'), 'empty body'],
    [body('v1', 'DeleteOptions', integer(2, 1)), 'proto: wrong wireType = 0 for field Preconditions'],
  ])('other options are refused (%#)', async (raw, message) => {
    expect(refusal(await send('DELETE', `${configMaps}/kept`, raw))).toStrictEqual({
      code: 400,
      reason: 'BadRequest',
      message,
    });
  });

  test('values of options are checked', async () => {
    await server.session.post(configMaps, { metadata: { name: 'checked' } });
    const { code, body: refused } = await send(
      'DELETE',
      `${configMaps}/checked`,
      body('v1', 'DeleteOptions', field(4, 'Nope')),
    );
    expect([code, refused.reason]).toStrictEqual([422, 'Invalid']);
    const dryRun = await send(
      'DELETE',
      `${configMaps}/checked`,
      body('v1', 'DeleteOptions', field(5, 'All')),
    );
    expect(dryRun.code).toBe(200);
    expect((await server.session.get(`${configMaps}/checked`)).code).toBe(200);
  });

  test('a custom resource is deleted with options in protobuf, and never written in it', async () => {
    await installCrd(server.session, crdOf('Cup', {}));
    await server.session.post(pathOf('Cup'), objectOf('Cup', 'a', {}));
    const sent = body('conformance.example.com/v1', 'Cup', metadata('b'));
    // A real server fails and drops the connection.
    const { code, body: refused } = await send('POST', pathOf('Cup'), sent).catch(() => ({
      code: 0,
      body: {},
    }));
    if (server.name === 'embedded') {
      expect({ code, message: refused.message }).toStrictEqual({
        code: 415,
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
      });
    } else expect(code).toBe(0);
    expect((await server.session.get(`${pathOf('Cup')}/b`)).code).toBe(404);
    const options = body('conformance.example.com/v1', 'DeleteOptions', integer(1, 0));
    expect((await send('DELETE', `${pathOf('Cup')}/a`, options)).code).toBe(200);
  });

  test('invalid JSON inside a message is refused', async () => {
    const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const sent = (json: string) =>
      body('apps/v1', 'ControllerRevision', metadata('raw'), field(2, field(1, json)), integer(3, 1));
    // A real server fails and drops the connection.
    const { code } = await send('POST', path, sent('{bad')).catch(() => ({ code: 0 }));
    expect(code).toBe(server.name === 'embedded' ? 400 : 0);
    const { body: made } = await send('POST', path, sent('{"spec":{"n":1,"no":null}}'));
    expect(made.data).toStrictEqual({ spec: { n: 1, no: null } });
  });
});
