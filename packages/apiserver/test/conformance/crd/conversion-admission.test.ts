import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { outcomeOf } from '../../support/converted-outcome.ts';
import { installCrd, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { sorted } from '../../support/apply-session.ts';
import { type Asking, failing, mutating, validating } from './conversion-admission-cases.ts';
import { untilCached } from '../../support/until-cached.ts';
import { convertEndpoint, endpoint, endpointCrd } from '../../support/versioned-endpoint.ts';
import { type WebhookType, configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import { type WebhookCall, WebhookServer, patchedBy } from '../../support/webhook-server.ts';

const types: readonly WebhookType[] = ['Mutating', 'Validating'];
const working = { Mutating: mutating, Validating: validating };
const recorded = (name: string) => `../recorded/conversion-admission/${name}.yaml`;
const slug = (title: string) => title.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase();

/** What a webhook was asked. */
function shown({ path, review: { request } }: WebhookCall): unknown {
  const { operation, kind, resource, subResource, requestKind, requestResource, object, oldObject } = request;
  const stateOf = (state: any) =>
    state && { apiVersion: state.apiVersion, annotations: state.metadata.annotations, spec: state.spec };
  return sorted({
    path,
    operation,
    kind: kind.version,
    resource: [resource.version, subResource],
    request: [requestKind.version, requestResource.version],
    object: stateOf(object),
    oldObject: stateOf(oldObject),
  });
}

onEachServer('admission of a kind that a webhook converts', (server) => {
  let webhook: ConversionWebhook;
  let hooks: WebhookServer;

  beforeAll(async () => {
    const { session } = server;
    webhook = await ConversionWebhook.start(convertEndpoint);
    webhook.failAsLabeled();
    hooks = await WebhookServer.start();
    await installCrd(session, endpointCrd('Admitted', webhook));
    for (const type of types) {
      const cases = {
        ...working[type],
        ...Object.fromEntries(Object.entries(failing[type]).map(([title, one]) => [title, one.webhooks])),
      };
      const webhooks = Object.entries(cases).flatMap(([title, asking]) =>
        asking.map((one, index) => configured(type, title, one, index)),
      );
      const probe = configured(type, 'probe', { version: 'v1' }, 0);
      await configureWebhooks(
        session,
        type,
        { name: slug(type), webhooks: [...webhooks, probe] },
        async () => {
          await session.post(
            `${pathOf('Admitted')}?dryRun=All`,
            object('v1', 'probe', { labels: { case: slug(`${type} probe`) } }),
          );
          return hooks.takeCalls().some(({ path }) => path.startsWith(`/${slug(type)}-probe`));
        },
      );
    }
  });
  afterAll(async () => {
    await webhook.close();
    await hooks.close();
  });

  function configured(
    type: WebhookType,
    title: string,
    { version, patch, rest }: Asking,
    index: number,
  ): object {
    const key = slug(`${type} ${title}`);
    const path = `/${key}-${index}`;
    hooks.handle(path, ({ review }) => (patch && review.request.object ? patchedBy(patch) : {}));
    const resources = ['admitteds', 'admitteds/status'];
    const operations = ['CREATE', 'UPDATE', 'DELETE'];
    return webhookOf(`${key}-${index}`, hooks.clientConfig(path), {
      rules: [{ operations, apiGroups: ['conformance.example.com'], apiVersions: [version], resources }],
      objectSelector: { matchLabels: { case: key } },
      matchPolicy: 'Equivalent',
      ...rest,
    });
  }

  /** Sends requests. @returns what each led to, and what webhooks were asked */
  async function run(
    type: WebhookType,
    name: string,
    steps: Record<string, () => Promise<Answer>>,
  ): Promise<unknown> {
    const outcomes: Record<string, unknown> = {};
    for (const [title, send] of Object.entries(steps)) {
      await untilCached(
        server.session,
        `${pathOf('Admitted')}/${name}`,
        `${pathOf('Admitted', 'v2')}/${name}`,
      );
      hooks.takeCalls();
      const answer = await send();
      const calls = hooks.takeCalls();
      // Validating webhooks are called at the same time.
      if (type === 'Validating') calls.sort((one, other) => (one.path < other.path ? -1 : 1));
      outcomes[title] = {
        outcome: answer.body.status === 'Success' ? answer.code : outcomeOf(answer),
        ...(calls.length > 0 && { calls: calls.map(shown) }),
      };
    }
    return outcomes;
  }

  const object = (version: string, name: string, metadata: object) => {
    const { metadata: named, ...rest } = endpoint('Admitted', version, name, { host: 'a', port: '1' });
    return { ...rest, metadata: { ...named, ...metadata } };
  };
  const writesOf = (path: string) => {
    const { session } = server;
    return {
      merge: () => session.merge(path, { spec: { port: '2' } }),
      'merge the status': () => session.merge(`${path}/status`, { status: { ready: true } }),
      delete: () => session.delete(path),
    };
  };

  for (const type of types) {
    test.each(Object.keys(working[type]))(`${type}: %s`, async (title) => {
      const { session } = server;
      const key = slug(`${type} ${title}`);
      const outcomes = await run(type, key, {
        create: () => session.post(pathOf('Admitted'), object('v1', key, { labels: { case: key } })),
        ...writesOf(`${pathOf('Admitted')}/${key}`),
      });
      await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded(key));
    });

    test.each(Object.entries(failing[type]))(
      `${type}: objects cannot be converted %s`,
      async (title, { fails }) => {
        const { session } = server;
        const key = slug(`${type} ${title}`);
        const labels = { case: key, fails };
        const stored = `${key}-stored`;
        const outcomes = await run(type, stored, {
          create: () => session.post(pathOf('Admitted'), object('v1', key, { labels })),
          'create in the stored version': () =>
            session.post(pathOf('Admitted', 'v2'), object('v2', stored, { labels })),
          ...writesOf(`${pathOf('Admitted')}/${stored}`),
        });
        await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded(`failing-${key}`));
      },
    );
  }
});
