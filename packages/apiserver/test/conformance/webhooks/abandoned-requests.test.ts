import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { Session } from '../../support/session.ts';
import { configureWebhooks } from '../../support/webhook-configurations.ts';
import { type WebhookCall, WebhookServer } from '../../support/webhook-server.ts';
import { webhookOfCase } from './case-session.ts';

const labels = (label: string) => ({ labels: { case: label } });
const existing = (name: string, label: string) => ({
  metadata: { name, ...labels(label) },
  data: { a: 'b' },
});

/** Requests about an object, which exists unless they create it. */
const requests: Record<string, (session: Session, name: string, label: string) => Promise<unknown>> = {
  create: (session, name, label) => session.post(configMaps, { metadata: { name, ...labels(label) } }),
  PUT: (session, name, label) =>
    session.put(`${configMaps}/${name}`, { metadata: { name, ...labels(label) }, data: { a: 'c' } }),
  patch: (session, name) => session.merge(`${configMaps}/${name}`, { data: { a: 'c' } }),
  delete: (session, name) => session.delete(`${configMaps}/${name}`),
  'delete of a collection': (session, _name, label) =>
    session.delete(`${configMaps}?labelSelector=case=${label}`),
};
const webhookCases = ['Mutating', 'Validating'].flatMap((type) =>
  ['Fail', 'Ignore'].map((failurePolicy) => ({
    type: type as 'Mutating' | 'Validating',
    failurePolicy,
    key: `${type}-${failurePolicy}`.toLowerCase(),
  })),
);

onEachServer('clients that give up while a webhook decides', (server) => {
  let webhooks: WebhookServer;
  /** Receives the calls that nothing answers. */
  let arrived: (call: WebhookCall) => void;

  beforeAll(async () => {
    webhooks = await WebhookServer.start();
    for (const { type, failurePolicy, key } of webhookCases) {
      const webhook = webhookOfCase(key, webhooks.clientConfig(`/${key}`), {
        failurePolicy,
        timeoutSeconds: 30,
      });
      await configureWebhooks(server.session, type, { name: key, webhooks: [webhook] }, async () => {
        await server.session.post(`${configMaps}?dryRun=All`, existing('probe', key));
        return webhooks.takeCalls().length > 0;
      });
    }
  });
  afterAll(() => webhooks.close());

  /** Sends a request, and closes its connection when the webhook has received it. The webhook then loses its connection, too. */
  async function abandon(send: (session: Session) => Promise<unknown>): Promise<void> {
    const called = new Promise<WebhookCall>((resolve) => (arrived = resolve));
    const client = new Session(server.environment.config);
    const sent = send(client).catch(() => undefined);
    const { response } = await called;
    client.close();
    await Promise.all([sent, once(response, 'close')]);
  }

  test('change nothing', async () => {
    const found: Record<string, unknown> = {};
    for (const { key } of webhookCases) {
      for (const [title, send] of Object.entries(requests)) {
        const name = `${key}-${title.replaceAll(' ', '-').toLowerCase()}`;
        webhooks.handle(`/${key}`, () => ({}));
        if (title !== 'create') await server.session.post(configMaps, existing(name, key));
        webhooks.handle(`/${key}`, (call) => arrived(call));
        await abandon((session) => send(session, name, key));
        const { code, body } = await server.session.get(`${configMaps}/${name}`);
        found[`${key}, ${title}`] = { code, data: body.data ?? null };
        webhooks.handle(`/${key}`, () => ({}));
        await server.session.delete(`${configMaps}/${name}`);
      }
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/abandoned-requests.yaml');
  });

  test('do not disturb others', async () => {
    const { key } = webhookCases[0]!;
    const calls: WebhookCall[] = [];
    const count = 20;
    const clients = Array.from({ length: count }, () => new Session(server.environment.config));
    const all = new Promise<void>((resolve) => {
      webhooks.handle(`/${key}`, (call) => {
        if (calls.push(call) === count) resolve();
      });
    });
    const sent = clients.map((client, index) =>
      client.post(configMaps, existing(`many-${index}`, key)).catch(() => undefined),
    );
    await all;
    for (const client of clients) client.close();
    await Promise.all([...sent, ...calls.map(({ response }) => response.closed || once(response, 'close'))]);
    webhooks.handle(`/${key}`, () => ({}));
    expect((await server.session.post(configMaps, existing('after', key))).code).toBe(201);
    const { body } = await server.session.get(`${configMaps}?labelSelector=case=${key}`);
    expect(body.items.map(({ metadata }: any) => metadata.name)).toEqual(['after']);
  });
});
