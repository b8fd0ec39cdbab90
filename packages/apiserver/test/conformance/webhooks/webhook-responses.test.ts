import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { configureCases, outcomeOf, slug } from './case-session.ts';
import { decisions, httpResponses, invalidResponses, slowResponses } from './response-cases.ts';

const configMaps = '/api/v1/namespaces/default/configmaps?dryRun=All';
const groups = {
  decisions,
  'invalid-responses': invalidResponses,
  'http-responses': httpResponses,
  slow: slowResponses,
};
const types = ['Mutating', 'Validating'] as const;
const policies = ['Fail', 'Ignore'];

function keyOf(type: string, policy: string, group: string, title: string): string {
  return slug(`${type[0]}${policy[0]} ${group.slice(0, 2)} ${title}`);
}

onEachServer('responses of webhooks', (server) => {
  let webhooks: WebhookServer;

  beforeAll(async () => {
    webhooks = await WebhookServer.start();
    for (const type of types)
      for (const policy of policies)
        for (const [group, answers] of Object.entries(groups)) {
          const cases = Object.entries(answers).map(([title, answer]) => [
            keyOf(type, policy, group, title),
            answer,
          ]);
          const name = slug(`${type} ${policy} ${group}`);
          const each = { failurePolicy: policy, timeoutSeconds: group === 'slow' ? 1 : 10 };
          await configureCases(server.session, webhooks, type, {
            name,
            cases: Object.fromEntries(cases),
            each,
          });
        }
  });
  afterAll(() => webhooks.close());

  async function ask(key: string): Promise<object> {
    const object = { metadata: { name: 'one', labels: { case: key } } };
    const { code, ...outcome } = outcomeOf(await server.session.post(configMaps, object));
    const { metadata: _, ...rest } = outcome;
    const text = JSON.stringify(code === 201 ? { code, ...rest } : { code, ...outcome });
    return JSON.parse(text.replaceAll(key, 'webhook')) as object;
  }

  for (const type of types)
    for (const [group, answers] of Object.entries(groups))
      test(`${type}: ${group}`, async () => {
        const askBoth = async (title: string) => {
          const [Fail, Ignore] = await Promise.all(
            policies.map((policy) => ask(keyOf(type, policy, group, title))),
          );
          return [title, isDeepStrictEqual(Fail, Ignore) ? Fail : { Fail, Ignore }] as const;
        };
        const titles = Object.keys(answers);
        const asked = group === 'slow' ? await Promise.all(titles.map(askBoth)) : [];
        if (group !== 'slow') for (const title of titles) asked.push(await askBoth(title));
        const found = Object.fromEntries(asked);
        await expect(asRecorded(found)).toMatchFileSnapshot(
          `../recorded/webhooks/responses/${slug(`${type} ${group}`)}.yaml`,
        );
      });
});
