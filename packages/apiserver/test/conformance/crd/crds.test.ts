import { expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf, until, versionOf } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const string = { type: 'string' };

/** Invalid properties of `spec`, by what is wrong with them. */
const badProperties: Record<string, any> = {
  'keywords that are not supported': {
    b: { type: 'foo' },
    f: { $ref: '#/x' },
    g: { type: 'array', uniqueItems: true, items: string },
    h: { type: 'array', items: [string] },
  },
  'list types': {
    a: { type: 'object', properties: { x: string }, additionalProperties: string },
    c: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      items: { type: 'object', properties: { k: string } },
    },
    d: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'z'],
      items: { type: 'object', properties: { k: string } },
    },
    e: { type: 'string', 'x-kubernetes-list-type': 'set' },
    f: { type: 'array', 'x-kubernetes-list-type': 'foo', items: string },
  },
  'missing types': {
    a: {},
    c: { type: 'array' },
    d: { type: 'array', items: {} },
    h: { type: 'object', additionalProperties: {} },
  },
  alternatives: {
    a: {
      type: 'string',
      not: { type: 'string' },
      oneOf: [{ properties: { q: { type: 'string', description: 'x' } } }],
      anyOf: [{ default: 'x' }],
      allOf: [{ nullable: true, additionalProperties: { type: 'string' } }],
    },
  },
  defaults: {
    a: { type: 'integer', default: 'x' },
    b: { type: 'object', default: { q: 1 }, properties: { z: string } },
    d: { type: 'string', enum: ['a'], default: 'b' },
  },
  'an embedded object without properties': { e: { type: 'object', 'x-kubernetes-embedded-resource': true } },
  'a number in place of a schema': { a: 5 },
  'a string in place of a number': { a: { type: 'string', minLength: 'x' } },
};

/** A definition with this schema and without subresources. */
const withSchema = (openAPIV3Schema: object) => {
  const crd = crdOf('Bad', {});
  crd.spec.versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  return crd;
};

/** A valid definition after an edit. */
const change = (edit: (crd: any) => void) => {
  const crd = crdOf('Bad', {});
  edit(crd);
  return crd;
};

onEachServer('definitions', (server) => {
  test('a definition gets its defaults, and is established soon after', async () => {
    const crd = crdOf('First', {});
    const { code, body } = await server.session.post(crdsPath, crd);
    expect(code).toBe(201);
    expect(normalize(body)).toStrictEqual({
      ...crd,
      metadata: { ...crd.metadata, generation: 1 },
      spec: {
        ...crd.spec,
        names: { ...crd.spec.names, singular: 'first', listKind: 'FirstList' },
        conversion: { strategy: 'None' },
        versions: expect.any(Array),
      },
      status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
    });
    const path = `${crdsPath}/${crd.metadata.name}`;
    // The real server reports Installing for a moment.
    await until(async () => {
      const { conditions } = (await server.session.get(path)).body.status;
      return conditions?.some(({ type, status }: any) => type === 'Established' && status === 'True');
    });
    expect(normalize((await server.session.get(path)).body.status)).toStrictEqual({
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      ],
      acceptedNames: { plural: 'firsts', singular: 'first', kind: 'First', listKind: 'FirstList' },
      storedVersions: ['v1'],
    });
  });

  test('a schema that is not structural is refused', async () => {
    const refusals: Record<string, unknown> = {};
    for (const [name, properties] of Object.entries(badProperties)) {
      refusals[name] = refusal(await server.session.post(crdsPath, crdOf('Bad', properties)));
    }
    const labels = { type: 'object', properties: { labels: { type: 'object' } } };
    refusals['no type'] = refusal(await server.session.post(crdsPath, withSchema({})));
    refusals['a root that is no object'] = refusal(
      await server.session.post(crdsPath, withSchema({ type: 'array' })),
    );
    refusals['a schema of metadata'] = refusal(
      await server.session.post(crdsPath, withSchema({ type: 'object', properties: { metadata: labels } })),
    );
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../recorded/structural-schemas.yaml');
  });

  test('a broken pattern is refused', async () => {
    const { body } = await server.session.post(
      crdsPath,
      crdOf('Bad', { e: { type: 'string', pattern: '(' } }),
    );
    expect(body.details.causes).toMatchObject([
      {
        field: 'spec.validation.openAPIV3Schema.properties[spec].properties[e].pattern',
        message: expect.stringMatching(
          /^Invalid value: "\(": must be a valid regular expression, but isn't: /,
        ),
      },
    ]);
  });

  test('unknown fields of a definition cause warnings', async () => {
    const crd = crdOf('Warned', { a: { type: 'string', minimun: 1 } as object });
    const { code, body, warnings } = await server.session.post(`${crdsPath}?dryRun=All`, crd);
    expect(code).toBe(201);
    expect(body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a).toStrictEqual(string);
    expect(warnings).toStrictEqual([
      'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.minimun"',
    ]);
  });

  test('invalid names, scopes and versions are refused', async () => {
    const cases: Record<string, any> = {
      'no spec': { metadata: { name: 'bads.conformance.example.com' } },
      'another name': change((crd) => (crd.metadata.name = 'other.conformance.example.com')),
      scope: change((crd) => (crd.spec.scope = 'Foo')),
      'no schema': change((crd) => delete crd.spec.versions[0].schema),
      group: change((crd) => {
        crd.spec.group = 'q';
        crd.metadata.name = 'bads.q';
      }),
      names: change((crd) => {
        const kinds = { listKind: 'Bad', kind: 'Bad', plural: 'bads' };
        crd.spec.names = { ...kinds, singular: 'Ba_d', shortNames: ['A'], categories: ['B'] };
      }),
      'several problems of one name': change((crd) => {
        crd.spec.group = 'Conformance';
        crd.metadata.name = 'bads.Conformance';
        crd.spec.names.singular = `Bad ${'d'.repeat(60)}`;
      }),
      'the name of the first version': change((crd) => (crd.spec.versions[0].name = 'V_1')),
      column: change(
        (crd) => (crd.spec.versions[0].additionalPrinterColumns = [{ name: '', type: 'foo', jsonPath: 'x' }]),
      ),
      'a protected group': change((crd) => {
        crd.spec.group = 'bad.k8s.io';
        crd.metadata.name = 'bads.bad.k8s.io';
      }),
      'a group of a wrong type': change((crd) => (crd.spec.group = 5)),
    };
    const refusals: Record<string, unknown> = {};
    for (const [name, crd] of Object.entries(cases))
      refusals[name] = refusal(await server.session.post(crdsPath, crd));
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../recorded/definitions.yaml');
  });

  test('exactly one version is the storage version', async () => {
    const crd = crdOf('Bad', {});
    crd.spec.versions = [versionOf('v1', false, {}), versionOf('v2', false, {})];
    const { body } = await server.session.post(crdsPath, crd);
    expect(body.code).toBe(422);
    expect(body.details.causes).toContainEqual({
      reason: 'FieldValueInvalid',
      field: 'spec.versions',
      message: expect.stringMatching(/: must have exactly one version marked as storage version$/),
    });
  });

  test('a name in use is not accepted', async () => {
    await installCrd(server.session, crdOf('Taken', {}));
    const crd = crdOf('Taken', {});
    crd.metadata.name = 'others.conformance.example.com';
    crd.spec.names.plural = 'others';
    expect((await server.session.post(crdsPath, crd)).code).toBe(201);
    const path = `${crdsPath}/others.conformance.example.com`;
    await until(async () => (await server.session.get(path)).body.status.conditions?.length === 2);
    expect(normalize((await server.session.get(path)).body.status.conditions)).toStrictEqual([
      {
        type: 'NamesAccepted',
        status: 'False',
        reason: 'ListKindConflict',
        message: '"TakenList" is already in use',
      },
      { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
    ]);
    expect((await server.session.get('/apis/conformance.example.com/v1/others')).code).toBe(404);
  });

  test('group, names, scope and stored versions are immutable', async () => {
    const crd = crdOf('Fixed', {});
    await installCrd(server.session, crd);
    const path = `${crdsPath}/${crd.metadata.name}`;
    const refusals: Record<string, unknown> = {};
    for (const spec of [
      { scope: 'Cluster' },
      { group: 'z.io' },
      { names: { plural: 'others' } },
      { names: { kind: 'Other' } },
      { versions: [versionOf('v2', true, {})] },
    ]) {
      refusals[Object.keys(spec)[0] + JSON.stringify(spec).slice(0, 20)] = refusal(
        await server.session.merge(path, { spec }),
      );
    }
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../recorded/immutable-definitions.yaml');
    const versions = [versionOf('v1', false, {}), versionOf('v2', true, {})];
    const moved = (await server.session.merge(path, { spec: { versions } })).body;
    expect(moved).toMatchObject({ metadata: { generation: 2 }, status: { storedVersions: ['v1', 'v2'] } });
    const status = { status: { storedVersions: ['v2'] } };
    expect((await server.session.merge(`${path}/status`, status)).body.status.storedVersions).toStrictEqual([
      'v2',
    ]);
  });

  test('a deletion also deletes the objects, and waits for their finalizers', async () => {
    const crd = crdOf('Leaving', {});
    await installCrd(server.session, crd);
    const object = objectOf('Leaving', 'held', {});
    object.metadata.finalizers = ['example.com/hold'];
    await server.session.post(pathOf('Leaving'), object);
    await server.session.post(pathOf('Leaving'), objectOf('Leaving', 'free', {}));
    const path = `${crdsPath}/${crd.metadata.name}`;
    const { body } = await server.session.delete(path);
    expect(body.metadata).toMatchObject({
      generation: 1,
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    });
    expect(body.metadata.deletionGracePeriodSeconds).toBeUndefined();
    await until(async () => {
      const { items } = (await server.session.get(pathOf('Leaving'))).body;
      return items.length === 1 && items[0].metadata.deletionTimestamp !== undefined;
    });
    expect(
      refusal(await server.session.post(pathOf('Leaving'), objectOf('Leaving', 'late', {}))),
    ).toMatchObject({
      code: 403,
      message:
        'leavings.conformance.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
    });
    await server.session.merge(`${pathOf('Leaving')}/held`, { metadata: { finalizers: [] } });
    await until(async () => (await server.session.get(path)).code === 404);
    await until(async () => (await server.session.get(pathOf('Leaving'))).body === '404 page not found\n');
  }, 60_000);
});
