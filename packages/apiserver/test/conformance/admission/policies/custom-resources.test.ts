import { afterAll, beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd, objectOf, pathOf, until } from '../../../support/fixtures.ts';
import { inOrder } from '../../../support/in-order.ts';
import { onceKindIsKnown } from '../../../support/known-kind.ts';
import { masked } from '../../../support/masked.ts';
import { onEachServer } from '../../../support/on-each-server.ts';
import { asRecorded } from '../../../support/recorded.ts';
import type { Answer, Session } from '../../../support/session.ts';
import { configureWebhooks, webhookOf } from '../../../support/webhook-configurations.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';
import { outcomeOf, slug } from '../../webhooks/case-session.ts';
import { registration } from './policy-case.ts';

const path = pathOf('Mutated');
const string = { type: 'string' };
const properties = {
  a: string,
  d: { type: 'string', default: 'e' },
  n: { type: 'string', nullable: true },
  o: { type: 'object', properties: { p: string } },
};

/** The operations of a JSON patch, in CEL. */
const patches: Record<string, string> = {
  'a known field': 'JSONPatch{op: "replace", path: "/spec/a", value: "z"}',
  'an unknown field': 'JSONPatch{op: "add", path: "/spec/unknown", value: {"a": 1}}',
  'an unknown field of the object': 'JSONPatch{op: "add", path: "/unknown", value: 1}',
  'an unknown field below': 'JSONPatch{op: "add", path: "/spec/o", value: {"p": "x", "unknown": "y"}}',
  null: 'JSONPatch{op: "add", path: "/spec/a", value: null}',
  'null where it is allowed': 'JSONPatch{op: "add", path: "/spec/n", value: null}',
  'no value where there is a default': 'JSONPatch{op: "remove", path: "/spec/d"}',
  'a wrong type': 'JSONPatch{op: "add", path: "/spec/a", value: 5}',
  'no spec': 'JSONPatch{op: "remove", path: "/spec"}',
  'an unknown field of the metadata': 'JSONPatch{op: "add", path: "/metadata/unknown", value: 1}',
  'a label of a number': 'JSONPatch{op: "add", path: "/metadata/labels/b", value: 5}',
  'annotations of a text': 'JSONPatch{op: "add", path: "/metadata/annotations", value: "a"}',
  'two unknown fields, one of them removed again':
    'JSONPatch{op: "add", path: "/spec/u", value: 1}, JSONPatch{op: "add", path: "/spec/v", value: 1}, JSONPatch{op: "remove", path: "/spec/u"}',
};

const policyOf = (name: string, operations: string) => ({
  metadata: { name },
  spec: {
    matchConstraints: {
      objectSelector: { matchLabels: { change: name } },
      resourceRules: [
        {
          operations: ['CREATE', 'UPDATE'],
          apiGroups: ['conformance.example.com'],
          apiVersions: ['v1'],
          resources: ['*/*'],
        },
      ],
    },
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: `[${operations}]` } }],
  },
});

const mutated = (name: string, change: string) => {
  const object = objectOf('Mutated', name, { a: 'x' });
  return { ...object, metadata: { ...object.metadata, labels: { change } } };
};

const requests: Record<string, (session: Session, change: string) => Promise<Answer>> = {
  create: (session, change) => session.post(path, mutated(change, change)),
  patch: (session, change) =>
    session.merge(`${path}/stored-${change}`, { metadata: { labels: { change } }, spec: { a: 'y' } }),
};

onEachServer('custom resources that policies change', (server) => {
  let webhooks: WebhookServer;

  beforeAll(async () => {
    const { session } = server;
    webhooks = await WebhookServer.start();
    await installCrd(session, crdOf('Mutated', properties));
    for (const title of Object.keys(patches))
      await session.post(path, objectOf('Mutated', `stored-${slug(title)}`, { a: 'x' }));
    const all = Object.entries(patches).map(([title, patch]) => [slug(title), patch] as const);
    // The server knows policies in the order in which they were created: with the last one, all are in force.
    for (const [name, operations] of [...all, ['probe', patches['a known field']!] as const]) {
      const created = await session.post(
        `${registration}/mutatingadmissionpolicies`,
        policyOf(name, operations),
      );
      if (created.code !== 201) throw new Error(created.body.message);
      await session.post(`${registration}/mutatingadmissionpolicybindings`, {
        metadata: { name },
        spec: { policyName: name },
      });
    }
    await until(async () => {
      const { body } = await session.post(`${path}?dryRun=All`, mutated('probe', 'probe'));
      return body.spec?.a === 'z';
    });
    const rule = {
      operations: ['*'],
      apiGroups: ['conformance.example.com'],
      apiVersions: ['v1'],
      resources: ['*/*'],
    };
    await configureWebhooks(
      session,
      'Mutating',
      {
        name: 'mutated',
        webhooks: [webhookOf('seeing', webhooks.clientConfig('/seeing'), { rules: [rule] })],
      },
      async () => {
        await session.post(`${path}?dryRun=All`, objectOf('Mutated', 'probe', {}));
        return webhooks.takeCalls().length > 0;
      },
    );
  });
  afterAll(() => webhooks.close());

  for (const [title, send] of Object.entries(requests))
    test(`are shown to webhooks as they are, and decoded when they are stored, in a ${title}`, async () => {
      const found: Record<string, unknown> = {};
      for (const change of Object.keys(patches)) {
        webhooks.takeCalls();
        const answer = await onceKindIsKnown(() => send(server.session, slug(change)));
        const seen = webhooks
          .takeCalls()
          .map(({ review: { request } }) =>
            JSON.stringify(inOrder(masked(request.object)), withoutBookkeeping),
          );
        found[change] = { seen, ...outcomeOf(answer) };
      }
      await expect(asRecorded(found)).toMatchFileSnapshot(
        `../../recorded/policies/custom-resources-${title}.yaml`,
      );
    });
});

/** Leaves out what depends on other tests, or is the subject of other tests. */
function withoutBookkeeping(key: string, value: unknown): unknown {
  return key === 'resourceVersion' || key === 'managedFields' ? undefined : value;
}
