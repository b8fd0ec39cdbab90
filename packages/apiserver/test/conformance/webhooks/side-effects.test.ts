import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks } from '../../support/webhook-configurations.ts';
import { WebhookServer, patchedBy } from '../../support/webhook-server.ts';
import { outcomeOf, webhookOfCase } from './case-session.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const types = ['Mutating', 'Validating'] as const;
const policies = ['Fail', 'Ignore'];
/** Only the first two can be created since v1. */
const declared = ['None', 'NoneOnDryRun', 'Some', 'Unknown', '', undefined];

/** What a webhook does, by the end of its path. */
const behaviors: Record<string, (type: string) => unknown> = {
  allows: () => ({}),
  changes: (type) =>
    type === 'Mutating' ? patchedBy([{ op: 'add', path: '/data', value: { a: 'x' } }]) : {},
  refuses: () => ({ allowed: false, status: { message: 'no' } }),
  fails: () => ({ allowed: true, uid: 'another' }),
};

const keyOf = (...parts: readonly string[]): string => parts.join('-').toLowerCase();

onEachServer('side effects of webhooks', (server) => {
  let webhooks: WebhookServer;

  beforeAll(async () => {
    webhooks = await WebhookServer.start();
    for (const type of types) {
      const all = policies.flatMap((failurePolicy) =>
        ['None', 'NoneOnDryRun'].flatMap((sideEffects) =>
          Object.entries(behaviors).map(([title, behave]) => {
            const key = keyOf(type, failurePolicy, sideEffects, title);
            webhooks.handle(`/${key}`, () => behave(type));
            return webhookOfCase(key, webhooks.clientConfig(`/${key}`), { failurePolicy, sideEffects });
          }),
        ),
      );
      const probe = webhookOfCase(`${type.toLowerCase()}-probe`, webhooks.clientConfig('/probe'));
      await configureWebhooks(
        server.session,
        type,
        { name: 'effects', webhooks: [...all, probe] },
        async () => {
          await send(`${type.toLowerCase()}-probe`, '?dryRun=All');
          return webhooks.takeCalls().length > 0;
        },
      );
    }
  });
  afterAll(() => webhooks.close());

  const send = (key: string, query: string) =>
    server.session.post(`${configMaps}${query}`, { metadata: { name: key, labels: { case: key } } });

  test('are declared when a webhook is configured', async () => {
    const found: Record<string, unknown> = {};
    for (const type of types)
      for (const failurePolicy of policies)
        for (const sideEffects of declared) {
          const webhook = webhookOfCase('declared', webhooks.clientConfig('/x'), {
            failurePolicy,
            sideEffects,
          });
          const path = `${registration}/${type.toLowerCase()}webhookconfigurations?dryRun=All`;
          const answer = await server.session.post(path, {
            metadata: { name: 'declared' },
            webhooks: [webhook],
          });
          const { code, body } = answer;
          found[`${type}, ${failurePolicy}, ${sideEffects ?? 'nothing'}`] =
            code < 400 ? { code, declared: body.webhooks[0].sideEffects } : refusal(answer);
        }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/side-effects/declared.yaml');
  });

  for (const type of types)
    test(`a ${type.toLowerCase()} webhook without them is asked about dry runs, and knows that they are`, async () => {
      const found: Record<string, unknown> = {};
      for (const failurePolicy of policies)
        for (const sideEffects of ['None', 'NoneOnDryRun'])
          for (const title of Object.keys(behaviors))
            for (const query of ['', '?dryRun=All']) {
              const key = keyOf(type, failurePolicy, sideEffects, title);
              webhooks.takeCalls();
              const { code, message, data } = outcomeOf(await send(key, query));
              const calls = webhooks.takeCalls().map(({ review: { request } }) => ({
                dryRun: request.dryRun,
                options: request.options,
              }));
              const stored = await server.session.get(`${configMaps}/${key}`);
              found[`${failurePolicy}, ${sideEffects}, ${title}${query}`] = {
                code,
                ...(message ? { message } : { data: data ?? null }),
                calls,
                stored: stored.code,
              };
              await server.session.delete(`${configMaps}/${key}`);
            }
      await expect(asRecorded(found)).toMatchFileSnapshot(
        `../recorded/webhooks/side-effects/${type.toLowerCase()}.yaml`,
      );
    });
});
