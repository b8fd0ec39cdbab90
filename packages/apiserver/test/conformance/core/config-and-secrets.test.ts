import { expect, test } from 'vitest';
import { configMapCases, secretCases } from './config-cases.ts';
import { configMaps } from '../../support/fixtures.ts';
import { type Change, askCreates, askUpdates, outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const changesTo = (cases: Record<string, any>): Record<string, Change> =>
  Object.fromEntries(
    Object.entries(cases).map(([name, fields]) => [name, (object: any) => Object.assign(object, fields)]),
  );

onEachServer('config maps and secrets', (server) => {
  test.each([
    ['config-maps', configMaps, configMapCases],
    ['secrets', secrets, secretCases],
  ])('%s', async (name, path, cases) => {
    const base = { metadata: { name: 'case' } };
    const outcomes = await askCreates(server.session, { path, base, cases: changesTo(cases) });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/core/${name}.yaml`);
  });

  const data = { a: 'eA==' };
  const updates: Record<string, any> = {
    nothing: {},
    'other data': { data: { a: 'eQ==' } },
    'no data': { data: null },
    'a label': { metadata: { labels: { a: 'b' } } },
    'mutable again': { immutable: false },
    'mutable by saying nothing': { immutable: null },
    'another type': { type: 'x' },
    'binary data': { binaryData: { b: 'eA==' } },
    'more text': { stringData: { b: 'y' } },
  };
  test.each([
    ['immutable-config-map', configMaps, { immutable: true, data }],
    ['mutable-config-map', configMaps, { data }],
    ['immutable-secret', secrets, { immutable: true, data }],
    ['mutable-secret', secrets, { data, type: 'Opaque' }],
  ])('changes of an %s', async (name, path, fields) => {
    const base = { metadata: { name }, ...fields };
    const cases = Object.fromEntries(
      Object.entries(updates).map(([what, { metadata, ...change }]) => [
        what,
        (object: any) => {
          Object.assign(object, change);
          Object.assign(object.metadata, metadata);
        },
      ]),
    );
    const outcomes = await askUpdates(server.session, { path, base, cases });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/core/${name}.yaml`);
  });

  test('every kind of write turns stringData into data, and the writer owns the data', async () => {
    // Their order depends on the seconds of the clock.
    const owners = (object: any) =>
      Object.fromEntries(
        object.metadata.managedFields
          .map(({ manager, operation, fieldsV1 }: any) => [`${manager} ${operation}`, fieldsV1])
          .toSorted(([a]: [string], [b]: [string]) => (a < b ? -1 : 1)),
      );
    const path = `${secrets}/text`;
    const patch = (contentType: string, body: unknown) =>
      server.session.send('PATCH', `${path}?fieldManager=${contentType.slice(12, 17)}`, {
        body,
        contentType,
      });
    const answers = [
      await server.session.post(secrets, { metadata: { name: 'text' }, stringData: { a: 'x' } }),
      await server.session.put(path, { metadata: { name: 'text' }, data, stringData: { b: 'y' } }),
      await patch('application/merge-patch+json', { stringData: { c: 'z' } }),
      await patch('application/strategic-merge-patch+json', { stringData: { a: 'v', d: 'w' } }),
      await patch('application/json-patch+json', [{ op: 'add', path: '/stringData', value: { e: 'u' } }]),
      await patch('application/apply-patch+yaml', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'text' },
        stringData: { f: 't' },
      }),
      await server.session.get(path),
    ];
    const said = answers.map((answer) => ({ ...(outcomeOf(answer) as object), owners: owners(answer.body) }));
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/core/string-data.yaml');
  });
});
