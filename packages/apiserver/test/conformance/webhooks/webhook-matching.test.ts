import { afterAll, beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd, versionOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import { type WebhookCall, WebhookServer } from '../../support/webhook-server.ts';
import { matchedObjects, questions, randomMatch } from './random-webhooks.ts';

const webhookCount = 80;

/** Which webhook was called, about what. */
function shown({ path, review: { request } }: WebhookCall): string {
  const { resource, kind, subResource, object, oldObject } = request;
  const versions = [object, oldObject].map((state) => state?.apiVersion ?? '-').join(' ');
  const below = subResource === undefined ? '' : `/${subResource}`;
  return `${path} ${resource.group}/${resource.version} ${resource.resource}${below} ${kind.version} ${kind.kind}: ${versions}`;
}

onEachServer('random webhooks', (server) => {
  let webhooks: WebhookServer;

  beforeAll(async () => {
    const { session } = server;
    webhooks = await WebhookServer.start();
    const crd = crdOf('Matched', { a: { type: 'string' } });
    crd.spec.versions.push(versionOf('v2', false, { a: { type: 'string' } }));
    await installCrd(session, crd);
    for (const [path, sending] of matchedObjects) {
      const { code, body } = await session.send('POST', path, sending);
      if (code !== 201) throw new Error(JSON.stringify(body));
    }
    const random = new Randomness(140);
    const all = Array.from({ length: webhookCount }, (_, index) => {
      const name = `w${String(index).padStart(2, '0')}`;
      return webhookOf(name, webhooks.clientConfig(`/${name}`), randomMatch(random));
    });
    const probe = webhookOf('probe', webhooks.clientConfig('/probe'), {
      objectSelector: { matchLabels: { probe: '' } },
    });
    await configureWebhooks(
      session,
      'Validating',
      { name: 'random', webhooks: [...all, probe] },
      async () => {
        await session.post('/api/v1/namespaces/default/configmaps?dryRun=All', {
          metadata: { name: 'probe', labels: { probe: '' } },
        });
        return webhooks.takeCalls().some(({ path }) => path === '/probe');
      },
    );
  });
  afterAll(() => webhooks.close());

  test('see the requests that their rules and selectors match', async () => {
    const found: Record<string, string[]> = {};
    for (const [title, [method, path, sending]] of Object.entries(questions)) {
      webhooks.takeCalls();
      await server.session.send(method, path, sending);
      // They are called at the same time.
      found[title] = webhooks.takeCalls().map(shown).toSorted();
    }
    expect(Object.values(found).flat().length).toBeGreaterThan(webhookCount);
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/matching.yaml');
  });
});
