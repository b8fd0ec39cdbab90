import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks } from '../../support/webhook-configurations.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { outcomeOf, webhookOfCase } from './case-session.ts';

const service = (name: string) => ({ service: { namespace: 'default', name, path: '/x', port: 8443 } });

onEachServer('connections to webhooks', (server) => {
  const servers: WebhookServer[] = [];
  let cases: Record<string, object>;

  beforeAll(async () => {
    const notBefore = new Date('2020-01-01T00:00:00Z');
    const notAfter = new Date('2021-01-01T00:00:00Z');
    const good = await WebhookServer.start();
    const other = await WebhookServer.start({ subject: 'other' });
    const named = await WebhookServer.start({ names: ['a.example.com'] });
    const expired = await WebhookServer.start({ notBefore, notAfter });
    const stopped = await WebhookServer.start();
    servers.push(good, other, named, expired);
    const refused = stopped.clientConfig('/x');
    await stopped.close();
    cases = {
      refused,
      'another-ca': { ...good.clientConfig('/x'), caBundle: other.caBundle },
      'no-ca': { ...good.clientConfig('/x'), caBundle: undefined },
      'another-host': named.clientConfig('/x'),
      expired: expired.clientConfig('/x'),
      'no-service': service('missing'),
      good: good.clientConfig('/good'),
    };
    const webhooks = Object.entries(cases).map(([key, clientConfig]) => webhookOfCase(key, clientConfig));
    await configureWebhooks(server.session, 'Validating', { name: 'connections', webhooks }, async () => {
      await ask('good');
      return good.takeCalls().length > 0;
    });
  });
  afterAll(() => Promise.all(servers.map((started) => started.close())));

  function ask(key: string) {
    const object = { metadata: { name: 'one', labels: { case: key } } };
    return server.session.post(`${configMaps}?dryRun=All`, object);
  }

  test('that fail are described as by a real server', async () => {
    const found: Record<string, unknown> = {};
    for (const key of Object.keys(cases)) {
      const { code, message } = outcomeOf(await ask(key));
      // A real server adds the times of the certificate and of the request.
      const text = typeof message === 'string' ? message.replace(/: current time.*/, '') : '';
      found[key] = { code, message: text };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/connections.yaml');
  });
});
