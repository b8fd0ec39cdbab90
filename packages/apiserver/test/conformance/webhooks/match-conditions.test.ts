import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks } from '../../support/webhook-configurations.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { outcomeOf, slug, webhookOfCase } from './case-session.ts';

const configMaps = '/api/v1/namespaces/default/configmaps?dryRun=All';

/** The expressions of the conditions of each case. */
const cases: Record<string, string[]> = {
  'one that holds': ["object.metadata.name == 'one'"],
  'one that does not hold': ["object.metadata.name == 'two'"],
  'two, of which one does not hold': ["object.metadata.name == 'one'", 'has(object.data)'],
  'a key that does not exist': ["object.data.missing == 'a'"],
  'a key that does not exist, beside one that does not hold': ["object.data.missing == 'a'", 'false'],
  'two that fail': ["object.data.missing == 'a'", "object.metadata.annotations['a'] == 'b'"],
  'the old object of a create': ["oldObject == null && request.operation == 'CREATE'"],
  'the request': [
    "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && request.namespace == 'default'",
    "request.name == 'one' && request.dryRun && 'system:masters' in request.userInfo.groups",
  ],
  'the options': ["request.options.dryRun == ['All']"],
  'what the user may do': [
    "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()",
  ],
  'what a service account may not': [
    "!authorizer.serviceAccount('default', 'other').group('').resource('secrets').check('get').allowed()",
  ],
  'the resource of the request': ["authorizer.requestResource.check('create').allowed()"],
  'an expensive one': [
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.split('').all(a, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.split('').all(b, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.split('').all(c, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.split('').all(d, a == b && c == d))))",
  ],
};
const policies = ['Fail', 'Ignore'];
const types = ['Mutating', 'Validating'] as const;

function keyOf(type: string, policy: string, title: string): string {
  return slug(`${type[0]}${policy[0]} ${title}`);
}

onEachServer('match conditions of webhooks', (server) => {
  let webhooks: WebhookServer;

  beforeAll(async () => {
    webhooks = await WebhookServer.start();
    for (const type of types) {
      const probe = `${type.toLowerCase()}-conditions-probe`;
      const all = policies.flatMap((failurePolicy) =>
        Object.entries(cases).map(([title, expressions]) => {
          const key = keyOf(type, failurePolicy, title);
          const matchConditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
          return webhookOfCase(key, webhooks.clientConfig(`/${key}`), { failurePolicy, matchConditions });
        }),
      );
      const last = webhookOfCase(probe, webhooks.clientConfig(`/${probe}`));
      const configuration = { name: `${type.toLowerCase()}-conditions`, webhooks: [...all, last] };
      await configureWebhooks(server.session, type, configuration, async () => {
        await server.session.post(configMaps, { metadata: { name: 'probe', labels: { case: probe } } });
        return webhooks.takeCalls().some(({ path }) => path === `/${probe}`);
      });
    }
  });
  afterAll(() => webhooks.close());

  async function ask(key: string): Promise<object> {
    const object = { metadata: { name: 'one', labels: { case: key } } };
    const { code, message, reason, details } = outcomeOf(await server.session.post(configMaps, object));
    const isCalled = webhooks.takeCalls().length > 0;
    return JSON.parse(
      JSON.stringify({ isCalled, code, message, reason, details }).replaceAll(key, 'webhook'),
    ) as object;
  }

  for (const type of types)
    test(`${type} webhooks`, async () => {
      const found: Record<string, unknown> = {};
      for (const title of Object.keys(cases))
        for (const policy of policies) found[`${title}, ${policy}`] = await ask(keyOf(type, policy, title));
      await expect(asRecorded(found)).toMatchFileSnapshot(
        `../recorded/webhooks/match-conditions/${type.toLowerCase()}.yaml`,
      );
    });
});
