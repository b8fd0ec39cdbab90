import { expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf, until, versionOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Watcher } from '../../support/watcher.ts';

const string = { type: 'string' };

onEachServer('versions of definitions', (server) => {
  const crdPath = (kind: string) => `${crdsPath}/${kind.toLowerCase()}s.conformance.example.com`;

  test('a watch ends when the schema of its version changes', async () => {
    await installCrd(server.session, crdOf('Watched', { a: string }));
    const watcher = await Watcher.start(server.session, `${pathOf('Watched')}?watch=1`);
    await server.session.post(pathOf('Watched'), objectOf('Watched', 'one', { a: 'x' }));
    await watcher.until(1);
    const versions = [versionOf('v1', true, { a: string, b: string })];
    await server.session.merge(crdPath('Watched'), { spec: { versions } });
    await watcher.ended;
    expect(watcher.summary()).toStrictEqual(['ADDED one']);
  });

  test('a version that is no longer served returns 404, and its watches end', async () => {
    const crd = crdOf('Retired', { a: string });
    crd.spec.versions.push(versionOf('v2', false, { a: string, b: string }));
    await installCrd(server.session, crd);
    await server.session.post(pathOf('Retired'), objectOf('Retired', 'one', { a: 'x' }));
    const watcher = await Watcher.start(server.session, `${pathOf('Retired', 'v2')}?watch=1`);
    await watcher.until(1);
    const versions = structuredClone(crd.spec.versions);
    versions[1].served = false;
    await server.session.merge(crdPath('Retired'), { spec: { versions } });
    await watcher.ended;
    await until(async () => (await server.session.get(pathOf('Retired', 'v2'))).code === 404);
    expect((await server.session.get(pathOf('Retired', 'v2'))).body).toBe('404 page not found\n');
    expect((await server.session.get(`${pathOf('Retired')}/one`)).body.spec).toStrictEqual({ a: 'x' });
  });

  test('a deprecated version causes a warning, even with a refusal', async () => {
    const crd = crdOf('Old', { a: string });
    crd.spec.versions.push({ ...versionOf('v2', false, { b: string }), deprecated: true });
    crd.spec.versions.push({
      ...versionOf('v3', false, { c: string }),
      deprecated: true,
      deprecationWarning: 'use v1',
    });
    await installCrd(server.session, crd);
    expect((await server.session.get(pathOf('Old'))).warnings).toStrictEqual([]);
    const standard = 'conformance.example.com/v2 Old is deprecated';
    expect((await server.session.get(pathOf('Old', 'v2'))).warnings).toStrictEqual([standard]);
    const refused = await server.session.post(
      pathOf('Old', 'v3'),
      objectOf('Old', 'o', { c: 5, d: 1 }, 'v3'),
    );
    expect(refused.code).toBe(422);
    expect(refused.warnings).toStrictEqual(['use v1', 'unknown field "spec.d"']);
  });

  test('stored versions stay until they are removed from the status', async () => {
    const crd = crdOf('Stored', {});
    await installCrd(server.session, crd);
    const versions = [versionOf('v1', false, {}), versionOf('v2', true, {})];
    await server.session.merge(crdPath('Stored'), { spec: { versions } });
    const only = { spec: { versions: [versionOf('v2', true, {})] } };
    expect(refusal(await server.session.merge(crdPath('Stored'), only))).toMatchObject({
      code: 422,
      causes: [
        expect.stringMatching(/^FieldValueInvalid status\.storedVersions\[0\]: Invalid value: "v1": missing/),
      ],
    });
    const migrated = await server.session.merge(`${crdPath('Stored')}/status`, {
      status: { storedVersions: ['v2'] },
    });
    expect(migrated.code).toBe(200);
    expect((await server.session.merge(crdPath('Stored'), only)).body.status.storedVersions).toStrictEqual([
      'v2',
    ]);
    expect(
      (await server.session.merge(crdPath('Stored'), { spec: { versions: [versionOf('v3', true, {})] } }))
        .code,
    ).toBe(422);
  });

  test('reads fill in the defaults of a new schema without a new resource version', async () => {
    await installCrd(server.session, crdOf('Read', { a: string }));
    const { body } = await server.session.post(pathOf('Read'), objectOf('Read', 'one', { a: 'x' }));
    const fields = {
      b: { type: 'string', default: 'y' },
      n: { type: 'string', nullable: true, default: 'z' },
    };
    await server.session.merge(crdPath('Read'), { spec: { versions: [versionOf('v1', true, fields)] } });
    const read = () => server.session.get(`${pathOf('Read')}/one`);
    await until(async () => (await read()).body.spec?.b === 'y');
    const { spec, metadata } = (await read()).body;
    expect(spec).toStrictEqual({ b: 'y', n: 'z' });
    expect(metadata).toMatchObject({
      resourceVersion: body.metadata.resourceVersion,
      generation: body.metadata.generation,
    });
  });

  test('the schema of metadata restricts names', async () => {
    const crd = crdOf('Named', {});
    const root = crd.spec.versions[0].schema.openAPIV3Schema;
    root.properties.metadata = { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } };
    await installCrd(server.session, crd);
    expect((await server.session.post(pathOf('Named'), objectOf('Named', 'short', {}))).code).toBe(201);
    expect(
      refusal(await server.session.post(pathOf('Named'), objectOf('Named', 'longer', {}))),
    ).toMatchObject({
      code: 422,
      causes: ['FieldValueTooLong metadata.name: Too long: may not be more than 5 bytes'],
    });
  });

  test('finalizers without a domain cause one warning', async () => {
    await installCrd(server.session, crdOf('Final', { a: string }));
    const object = objectOf('Final', 'one', {});
    object.metadata.finalizers = ['plain', 'a.b', 'example.com/good', 'orphan'];
    const created = await server.session.post(pathOf('Final'), object);
    const advice = 'to avoid accidental conflicts with other finalizer writers';
    expect(created.warnings.toSorted()).toStrictEqual([
      `metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) ${advice}`,
      `metadata.finalizers: "plain": prefer a domain-qualified finalizer name ${advice}`,
    ]);
    const updated = await server.session.merge(`${pathOf('Final')}/one`, { spec: { a: 'x' } });
    expect(updated.warnings).toStrictEqual([]);
  });

  test('new formats that the server does not check cause a warning', async () => {
    const crd = crdOf('Formed', { a: { type: 'string', format: 'foo' } });
    expect((await server.session.post(crdsPath, crd)).warnings).toStrictEqual(['unrecognized format "foo"']);
    const versions = [
      versionOf('v1', true, { a: { type: 'string', format: 'foo' }, b: { type: 'integer', format: 'bar' } }),
    ];
    const { warnings } = await server.session.merge(crdPath('Formed'), { spec: { versions } });
    expect(warnings).toStrictEqual(['unrecognized format "bar"']);
  });

  test('field selectors use the fields that the definition names', async () => {
    const crd = crdOf('Chosen', { color: string, size: { type: 'integer' }, on: { type: 'boolean' } });
    const fields = ['.spec.color', '.spec.size', '.spec.on'];
    crd.spec.versions[0].selectableFields = fields.map((jsonPath) => ({ jsonPath }));
    await installCrd(server.session, crd);
    const specs = [
      { color: 'red', size: 1, on: true },
      { color: 'blue', size: 2 },
      { size: 2, on: false },
    ];
    for (const [index, spec] of specs.entries())
      await server.session.post(pathOf('Chosen'), objectOf('Chosen', `c${index}`, spec));
    const select = async (selector: string) => {
      const answer = await server.session.get(
        `${pathOf('Chosen')}?fieldSelector=${encodeURIComponent(selector)}`,
      );
      return answer.code === 200
        ? answer.body.items.map(({ metadata }: any) => metadata.name)
        : answer.body.message;
    };
    expect({
      color: await select('spec.color=red'),
      absent: await select('spec.color='),
      size: await select('spec.size=2'),
      not: await select('spec.on!=true'),
      both: await select('spec.size=2,metadata.name=c1'),
      unknown: await select('spec.other=1'),
    }).toStrictEqual({
      color: ['c0'],
      absent: ['c2'],
      size: ['c1', 'c2'],
      not: ['c1', 'c2'],
      both: ['c1'],
      unknown: 'field label not supported: spec.other',
    });
  });
});
