import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { installCrd, pathOf, until } from '../../support/fixtures.ts';
import { normalize } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { convertEndpoint, endpoint, endpointCrd } from '../../support/versioned-endpoint.ts';

const namespaces = '/api/v1/namespaces';

onEachServer('conversion for controllers', { controllers: {} }, (server) => {
  let webhook: ConversionWebhook;

  beforeAll(async () => {
    webhook = await ConversionWebhook.start(convertEndpoint);
    await installCrd(server.session, endpointCrd('Kept', webhook));
  });
  afterAll(() => webhook.close());

  test('a namespace whose objects cannot be converted stays until they can', async () => {
    const { session } = server;
    const path = `${namespaces}/unconverted`;
    await session.post(namespaces, { metadata: { name: 'unconverted' } });
    const inside = pathOf('Kept', 'v1').replace('/default/', '/unconverted/');
    const created = await session.post(inside, endpoint('Kept', 'v1', 'a', { host: 'a', port: '1' }));
    expect([created.code, created.body.message]).toStrictEqual([201, undefined]);
    webhook.answer = ({ request: { uid }, ...review }) => ({
      ...review,
      response: { uid, result: { status: 'Failure', message: 'not today' } },
    });
    await session.delete(path);
    const conditions = async () => (await session.get(path)).body.status.conditions ?? [];
    await until(async () => (await conditions()).length > 0);
    const found = normalize(await conditions());
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/controllers/unconverted-content.yaml');
    webhook.answer = undefined;
    await until(async () => (await session.get(path)).code === 404);
    expect((await session.get(inside)).body.items).toStrictEqual([]);
  }, 90_000);
});
