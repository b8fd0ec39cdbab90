import { afterAll, beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd } from '../../support/fixtures.ts';
import { inOrder } from '../../support/in-order.ts';
import { masked } from '../../support/masked.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { shown } from '../../support/shown-review.ts';
import { untilCached } from '../../support/until-cached.ts';
import { configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import { type WebhookCall, WebhookServer } from '../../support/webhook-server.ts';
import { reviewSteps, reviewedObjects } from './review-steps.ts';

/** The object that a path names, also with a subresource. */
const namedObject = /^.*\/namespaces\/reviews\/[^/?]+\/[^/?]+/;
const probe = '/api/v1/namespaces/default/configmaps?dryRun=All';

/** The calls of a request. A real server may ask again when its cache is behind, about the same state. */
function shownCalls(calls: readonly WebhookCall[]): unknown[] {
  const pairs = calls.map(shown).reduce<string[]>((found, call, index) => {
    if (index % 2 === 0) return [...found, JSON.stringify([call])];
    return [
      ...found.slice(0, -1),
      JSON.stringify([...(JSON.parse(found.at(-1) ?? '[]') as unknown[]), call]),
    ];
  }, []);
  return pairs
    .filter((pair, index) => pair !== pairs[index - 1])
    .flatMap((pair) => JSON.parse(pair) as unknown[]);
}

onEachServer('admission reviews', (server) => {
  let webhooks: WebhookServer;

  beforeAll(async () => {
    const { session } = server;
    webhooks = await WebhookServer.start();
    const crd = crdOf('Reviewed', {
      a: { type: 'string', default: 'd' },
      b: { type: 'string', default: 'd' },
      replicas: { type: 'integer' },
    });
    crd.spec.versions[0].subresources.scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
    };
    await installCrd(session, crd);
    for (const [path, object] of reviewedObjects) {
      const { code, body } = await session.post(path, object);
      if (code !== 201) throw new Error(JSON.stringify(body));
    }
    for (const type of ['Mutating', 'Validating'] as const) {
      const of = (name: string, version: string) =>
        webhookOf(name, webhooks.clientConfig(`/${type.toLowerCase()}`), {
          admissionReviewVersions: [version],
        });
      await configureWebhooks(
        session,
        type,
        { name: 'recorders', webhooks: [of('current', 'v1')] },
        async () => {
          await session.post(probe, { metadata: { name: 'probe' } });
          return webhooks.takeCalls().some(({ path }) => path === `/${type.toLowerCase()}`);
        },
      );
    }
  });
  afterAll(() => webhooks.close());

  for (const [file, steps] of Object.entries(reviewSteps)) {
    test(`of ${file} are those of a real server`, async () => {
      const found: Record<string, unknown> = {};
      for (const [title, method, path, sending] of steps) {
        const [stored] = namedObject.exec(path) ?? [];
        // Otherwise the server begins with an older state, and asks again about the newest.
        if (stored !== undefined && method !== 'POST') await untilCached(server.session, stored, stored);
        webhooks.takeCalls();
        const { code, body } = await server.session.send(method, path, sending);
        const calls = shownCalls(webhooks.takeCalls());
        found[title] = { code, ...(code >= 400 && { message: masked(body).message }), calls };
      }
      await expect(asRecorded(found)).toMatchFileSnapshot(`../recorded/webhooks/reviews/${file}.yaml`);
    });
  }

  test('a webhook may ask for v1beta1', async () => {
    const objectSelector = { matchLabels: { version: 'v1beta1' } };
    const webhook = webhookOf('beta', webhooks.clientConfig('/beta'), {
      objectSelector,
      admissionReviewVersions: ['v2', 'v1beta1', 'v1'],
    });
    const ask = async () => {
      const { code } = await server.session.post(probe, {
        metadata: { name: 'beta', labels: { version: 'v1beta1' } },
      });
      expect(code).toBe(201);
      return webhooks
        .takeCalls()
        .filter(({ path }) => path === '/beta')
        .map(shown);
    };
    const configuration = { name: 'beta', webhooks: [webhook] };
    await configureWebhooks(
      server.session,
      'Validating',
      configuration,
      async () => (await ask()).length > 0,
    );
    await expect(asRecorded(await ask())).toMatchFileSnapshot('../recorded/webhooks/reviews/v1beta1.yaml');
  });

  test('a request has the headers of a real server', async () => {
    webhooks.takeCalls();
    await server.session.post(probe, { metadata: { name: 'headers' } });
    const found = webhooks.takeCalls().map(({ path, query, method, headers }) => {
      const { host: _, 'content-length': length, ...rest } = headers;
      return { path, query, method, headers: inOrder(rest), hasLength: length !== undefined };
    });
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/reviews/headers.yaml');
  });
});
