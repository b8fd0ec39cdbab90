import { afterAll, beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd, objectOf, pathOf, versionOf } from '../../support/fixtures.ts';
import { inOrder } from '../../support/in-order.ts';
import { masked } from '../../support/masked.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer, Session } from '../../support/session.ts';
import { configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import { WebhookServer, patchedBy } from '../../support/webhook-server.ts';
import { outcomeOf, slug } from './case-session.ts';

const path = pathOf('Changed');
const string = { type: 'string' };
const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const common = {
  a: string,
  d: { type: 'string', default: 'e' },
  n: { type: 'string', nullable: true },
  o: { type: 'object', properties: { p: string } },
  embedded,
};
const properties = { ...common, only1: string };

/** What the first webhook does to an object. */
const changes: Record<string, object[]> = {
  'an unknown field': [{ op: 'add', path: '/spec/unknown', value: { a: 1 } }],
  'an unknown field of the object': [{ op: 'add', path: '/unknown', value: 1 }],
  'an unknown field below': [{ op: 'add', path: '/spec/o', value: { p: 'x', unknown: 1 } }],
  null: [{ op: 'add', path: '/spec/a', value: null }],
  'null where it is allowed': [{ op: 'add', path: '/spec/n', value: null }],
  'null instead of a default': [{ op: 'add', path: '/spec/d', value: null }],
  'no value where there is a default': [{ op: 'remove', path: '/spec/d' }],
  'a wrong type': [{ op: 'add', path: '/spec/a', value: 5 }],
  'a field of this version': [{ op: 'add', path: '/spec/only1', value: 'x' }],
  'a field of the other version': [{ op: 'add', path: '/spec/only2', value: 'x' }],
  'no spec': [{ op: 'remove', path: '/spec' }],
  'a spec of null': [{ op: 'replace', path: '/spec', value: null }],
  'an unknown field of the metadata': [{ op: 'add', path: '/metadata/unknown', value: 1 }],
  'labels of a number': [{ op: 'add', path: '/metadata/labels', value: 5 }],
  'a label of a number': [{ op: 'add', path: '/metadata/labels', value: { a: 5 } }],
  'a label of null': [{ op: 'add', path: '/metadata/labels', value: { a: null } }],
  'no labels in the list': [{ op: 'add', path: '/metadata/labels', value: {} }],
  'annotations of null': [{ op: 'add', path: '/metadata/annotations', value: null }],
  'finalizers of a text': [{ op: 'add', path: '/metadata/finalizers', value: 'a.b/c' }],
  'finalizers of numbers': [{ op: 'add', path: '/metadata/finalizers', value: [1] }],
  'owners of a text': [{ op: 'add', path: '/metadata/ownerReferences', value: 'a' }],
  'owners of texts': [{ op: 'add', path: '/metadata/ownerReferences', value: ['a'] }],
  'a generation of a text': [{ op: 'add', path: '/metadata/generation', value: 'a' }],
  'a deletion time of a text': [{ op: 'add', path: '/metadata/deletionTimestamp', value: 'now' }],
  'metadata of null': [{ op: 'replace', path: '/metadata', value: null }],
  'metadata of a text': [{ op: 'replace', path: '/metadata', value: 'a' }],
  'no metadata': [{ op: 'remove', path: '/metadata' }],
  'managed fields of a text': [{ op: 'add', path: '/metadata/managedFields', value: 'a' }],
  'an embedded object': [
    {
      op: 'add',
      path: '/spec/embedded',
      value: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', unknown: 1 } },
    },
  ],
  'an embedded object with wrong metadata': [
    {
      op: 'add',
      path: '/spec/embedded',
      value: { apiVersion: 'v1', kind: 'A', metadata: { labels: 5, name: 'a' } },
    },
  ],
  'an embedded object with metadata of a text': [
    { op: 'add', path: '/spec/embedded', value: { apiVersion: 'v1', kind: 'A', metadata: 'a' } },
  ],
  'an embedded object with a kind of a number': [
    { op: 'add', path: '/spec/embedded', value: { apiVersion: 'v1', kind: 5 } },
  ],
};

/** The webhooks in their order, and the version that each asks for. */
const mutating = { 'a-first': 'v1', 'b-second': 'v1', 'c-other-version': 'v2', 'd-last': 'v1' };
const validating = { 'e-validating': 'v1', 'f-validating-other': 'v2' };

const requests: Record<string, (session: Session, name: string) => Promise<Answer>> = {
  create: (session, name) => session.post(path, objectOf('Changed', name, { a: 'x' })),
  'dry run': (session) => session.post(`${path}?dryRun=All`, objectOf('Changed', 'dry', { a: 'x' })),
  patch: (session, name) => session.merge(`${path}/stored-${name}`, { spec: { a: 'y' } }),
  'patch of the status': (session, name) =>
    session.merge(`${path}/stored-${name}/status`, { status: { ready: true } }),
};

onEachServer('custom resources that webhooks change', (server) => {
  let webhooks: WebhookServer;
  let change: object[] = [];

  beforeAll(async () => {
    const { session } = server;
    webhooks = await WebhookServer.start();
    webhooks.handle('/a-first', () => patchedBy(change));
    const crd = crdOf('Changed', properties);
    crd.spec.versions.push(versionOf('v2', false, { ...common, only2: string }));
    await installCrd(session, crd);
    for (const title of Object.keys(changes))
      await session.post(path, objectOf('Changed', `stored-${slug(title)}`, { a: 'x' }));
    for (const [type, all] of Object.entries({ Mutating: mutating, Validating: validating } as const)) {
      const configured = Object.entries(all).map(([name, version]) => {
        const rule = {
          operations: ['*'],
          apiGroups: ['conformance.example.com'],
          apiVersions: [version],
          resources: ['*/*'],
        };
        return webhookOf(name, webhooks.clientConfig(`/${name}`), { rules: [rule] });
      });
      const last = Object.keys(all).at(-1);
      await configureWebhooks(
        session,
        type as 'Mutating' | 'Validating',
        { name: 'changed', webhooks: configured },
        async () => {
          await session.post(`${path}?dryRun=All`, objectOf('Changed', 'probe', {}));
          return webhooks.takeCalls().some((call) => call.path === `/${last}`);
        },
      );
    }
  });
  afterAll(() => webhooks.close());

  for (const [title, send] of Object.entries(requests))
    test(`are shown to the next one as they are, and decoded when they are stored, in a ${title}`, async () => {
      const found: Record<string, unknown> = {};
      for (const [name, patch] of Object.entries(changes)) {
        change = patch;
        webhooks.takeCalls();
        const answer = await send(server.session, slug(name));
        const seen = webhooks
          .takeCalls()
          .slice(1)
          .toSorted((one, other) => (one.path < other.path ? -1 : 1))
          .map(({ path: at, review: { request } }) => `${at} ${shown(request.object)}`);
        found[name] = { seen, ...shownOutcome(outcomeOf(answer)) };
      }
      await expect(asRecorded(found)).toMatchFileSnapshot(
        `../recorded/webhooks/custom-resources/${slug(title)}.yaml`,
      );
    });
});

/** What matters of an object. */
function shown(object: any): string {
  const { metadata, ...rest } = inOrder(masked(object));
  const isObject = typeof metadata === 'object' && metadata !== null;
  const { managedFields, resourceVersion: _, ...others } = isObject ? metadata : ({} as any);
  const managers = Array.isArray(managedFields) ? managedFields.length : managedFields;
  return JSON.stringify({ ...rest, metadata: isObject ? { ...others, managers } : metadata });
}

function shownOutcome({ metadata, ...outcome }: any): object {
  const { managers: _, ...rest } = metadata ?? {};
  return { ...outcome, ...(metadata && { metadata: rest }) };
}
