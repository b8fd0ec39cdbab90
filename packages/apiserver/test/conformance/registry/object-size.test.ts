import { beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';

const pots = pathOf('Pot');
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const mergePatch = 'application/merge-patch+json';

const potOf = (name: string, characters: number) => objectOf('Pot', name, { text: 'x'.repeat(characters) });
/** A Deployment whose environment variables have a hundred thousand characters each. */
const deploymentOf = (name: string, variables: number) => {
  const env = Array.from({ length: variables }, (_, index) => ({
    name: `E${index}`,
    value: 'x'.repeat(100_000),
  }));
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i', env }] } };
  const spec = { selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec };
};
/** An answer without the size in its message, which differs by a few bytes. */
const answer = ({ code, body }: { code: number; body: { message?: string } }) => ({
  code,
  message: body.message?.replace(/\(\d+ vs/, '(N vs'),
});
const tooLarge = { code: 500, message: 'etcdserver: request is too large' };
const tooLong = {
  code: 500,
  message:
    'rpc error: code = ResourceExhausted desc = trying to send message larger than max (N vs. 2097152)',
};

onEachServer('large objects', (server) => {
  beforeAll(async () => {
    await installCrd(server.session, crdOf('Pot', { text: { type: 'string' }, more: { type: 'string' } }));
  });

  test('custom resources are stored up to 1.5 MiB', async () => {
    expect((await server.session.post(pots, potOf('large', 1_560_000))).code).toBe(201);
    expect(answer(await server.session.post(pots, potOf('larger', 1_574_000)))).toEqual(tooLarge);
    expect(answer(await server.session.post(pots, potOf('largest', 2_300_000)))).toEqual(tooLong);
    expect((await server.session.get(`${pots}/larger`)).code).toBe(404);
  });

  test('a dry run stores nothing, so it refuses no size', async () => {
    expect((await server.session.post(`${pots}?dryRun=All`, potOf('dry', 1_600_000))).code).toBe(201);
  });

  test('patches cannot grow an object beyond the limit of a body', async () => {
    const { body } = await server.session.post(pots, potOf('growing', 1_000_000));
    const path = `${pots}/growing`;
    const grown = await server.session.send('PATCH', path, {
      contentType: mergePatch,
      body: { spec: { more: 'x'.repeat(1_000_000) } },
    });
    expect(answer(grown)).toEqual(tooLarge);
    const { metadata } = (await server.session.get(path)).body;
    expect(metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test('built-in kinds are measured as protobuf', async () => {
    expect((await server.session.post(deployments, deploymentOf('large', 15))).code).toBe(201);
    expect(answer(await server.session.post(deployments, deploymentOf('larger', 16)))).toEqual(tooLarge);
    expect(answer(await server.session.post(deployments, deploymentOf('largest', 24)))).toEqual(tooLong);
    // JSON doubles these characters.
    const quotes = { metadata: { name: 'quotes' }, data: { a: '"'.repeat(1_000_000) } };
    expect((await server.session.post(configMaps, quotes)).code).toBe(201);
  });
});
