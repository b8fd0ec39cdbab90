import { afterAll, beforeAll, expect, test } from 'vitest';
import { audited } from '../../support/audited.ts';
import { configMaps, crdOf, installCrd, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { type WebhookType, configureWebhooks } from '../../support/webhook-configurations.ts';
import { WebhookServer, patchedBy } from '../../support/webhook-server.ts';
import { slug, webhookOfCase } from '../webhooks/case-session.ts';
import type { Answering } from '../webhooks/response-cases.ts';

/** The webhooks that see the object of a case, in the order of their configurations. */
type Chain = readonly Step[];

interface Step {
  readonly answer: Answering;
  /** Fields of the webhook. */
  readonly webhook?: object;
}

const again = { reinvocationPolicy: 'IfNeeded' };
const ignored = { failurePolicy: 'Ignore' };
const old = { admissionReviewVersions: ['v1beta1'] };
const patch = (operations: unknown): Record<string, unknown> => ({ ...patchedBy(operations) });
const changing = (value: string) => patch([{ op: 'add', path: '/data/a', value }]);
const broken: Answering = ({ response }) => void response.writeHead(500).end('broken');

/** What one webhook of both types answers. */
const answers: Record<string, Step> = {
  annotations: { answer: { auditAnnotations: { a: 'b', 'c.D_e-9': 'f', number: '1' } } },
  'no annotations': { answer: {} },
  'invalid keys': {
    answer: {
      auditAnnotations: {
        'not a key!': '1',
        'a/b': '2',
        '': '3',
        '-a': '4',
        ['k'.repeat(64)]: '5',
        ['k'.repeat(63)]: '6',
        Upper: '7',
        ü: '8',
      },
    },
  },
  'unusual values': {
    answer: { auditAnnotations: { empty: '', blank: ' ', text: 'ü\n"<&>\u2028', long: 'x'.repeat(300_000) } },
  },
  'a refusal': { answer: { allowed: false, auditAnnotations: { why: 'no' } } },
  'a review of v1beta1': { answer: { auditAnnotations: { a: 'b', 'a b': 'c' } }, webhook: old },
  'a failure that is ignored': { answer: broken, webhook: ignored },
  'a failure': { answer: broken },
  'an invalid response that is ignored': {
    answer: { uid: 'other', auditAnnotations: { a: 'b' } },
    webhook: ignored,
  },
  'an invalid response of v1beta1 that is ignored': {
    answer: { auditAnnotations: { a: 1 } },
    webhook: { ...old, ...ignored },
  },
  'no known version, ignored': {
    answer: { auditAnnotations: { a: 'b' } },
    webhook: { admissionReviewVersions: ['v1', 'v2'], ...ignored },
  },
};

const single = Object.fromEntries(Object.entries(answers).map(([title, step]) => [title, [step]]));

const twice: Record<string, Chain> = {
  'the same annotation twice': [
    { answer: { auditAnnotations: { a: '1' } }, webhook: { name: 'twice.example.com' } },
    { answer: { auditAnnotations: { a: '2', b: '2' } }, webhook: { name: 'twice.example.com' } },
  ],
};

const failing: Record<string, Chain> = {
  'failures among others': [
    { answer: {} },
    { answer: broken, webhook: ignored },
    { answer: { auditAnnotations: { a: 'b' } } },
    { answer: broken, webhook: ignored },
  ],
};

/** What only mutating webhooks do. */
const changes: Record<string, Chain> = {
  'a change': [
    {
      answer: ({ review: { request } }) => ({
        ...(request.operation !== 'DELETE' && changing('2')),
        auditAnnotations: { operation: request.operation },
      }),
    },
  ],
  'a patch without operations': [{ answer: patch([]) }],
  'a patch that changes nothing': [{ answer: changing('1') }],
  'patches that change nothing': [
    { answer: ({ review }) => changing(review.request.object.data.a), webhook: again },
    { answer: changing('1'), webhook: again },
    { answer: changing('2'), webhook: again },
    { answer: changing('2'), webhook: again },
  ],
  'a patch that does not apply': [{ answer: patch([{ op: 'remove', path: '/missing/a' }]) }],
  'a patch that is not a patch, ignored': [
    { answer: { ...patch('no'), auditAnnotations: { a: 'b' } }, webhook: ignored },
  ],
  'a patch of an object of another kind': [
    { answer: patch([{ op: 'replace', path: '/kind', value: 'Secret' }]) },
  ],
  'changes of several': [
    { answer: changing('2') },
    { answer: {} },
    { answer: changing('3') },
    { answer: changing('3') },
  ],
  'a reinvocation': [
    { answer: ({ review }) => ({ auditAnnotations: { a: review.request.object.data.a } }), webhook: again },
    { answer: changing('2'), webhook: again },
    { answer: {} },
  ],
  'a reinvocation that changes': [
    {
      answer: ({ review }) => changing(`${review.request.object.data.a}1`),
      webhook: again,
    },
    { answer: changing('2'), webhook: again },
  ],
  'a reinvocation that fails': [
    {
      answer: (call) => (call.review.request.object.data.a === '1' ? {} : broken(call)),
      webhook: { ...again, ...ignored },
    },
    { answer: changing('2') },
  ],
  'a refusal after a change': [{ answer: changing('2') }, { answer: { allowed: false } }],
};

const hooked = { apiVersion: 'conformance.example.com/v1', kind: 'Hooked', spec: { a: 'b' } };

/** Objects of other kinds, and how the second one of two webhooks changes them. The first one patches nothing. */
const kinds: Record<string, { path: string; object: object; operations: object[] }> = {
  'a default removed': {
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
    operations: [{ op: 'remove', path: '/spec/replicas' }],
  },
  'an unknown field': {
    path: configMaps,
    object: {},
    operations: [{ op: 'add', path: '/unknown', value: 1 }],
  },
  'an empty field': {
    path: configMaps,
    object: {},
    operations: [{ op: 'add', path: '/binaryData', value: {} }],
  },
  'a custom resource': {
    path: pathOf('Hooked'),
    object: hooked,
    operations: [{ op: 'replace', path: '/spec/a', value: 'c' }],
  },
  'an unknown field of a custom resource': {
    path: pathOf('Hooked'),
    object: hooked,
    operations: [{ op: 'add', path: '/spec/unknown', value: 1 }],
  },
  'an empty field of a custom resource': {
    path: pathOf('Hooked'),
    object: hooked,
    operations: [{ op: 'add', path: '/status', value: {} }],
  },
  'a default of a custom resource removed': {
    path: pathOf('Hooked'),
    object: hooked,
    operations: [{ op: 'remove', path: '/spec/d' }],
  },
};
const ofKinds = Object.fromEntries(
  Object.entries(kinds).map(([title, { operations }]): [string, Chain] => [
    title,
    [
      { answer: patch([{ op: 'test', path: '/metadata/name', value: labelOf('Mutating', title) }]) },
      { answer: patch(operations) },
    ],
  ]),
);

onEachServer('audit annotations of webhooks', { recordRequests: true }, (server) => {
  let webhooks: WebhookServer;
  beforeAll(async () => {
    webhooks = await WebhookServer.start();
  });
  afterAll(() => webhooks.close());

  const objectOf = (label: string) => ({
    metadata: { name: label, labels: { case: label } },
    data: { a: '1' },
  });
  const create = (label: string, path = configMaps, object: object = {}) =>
    server.session.post(`${path}?dryRun=All`, { ...objectOf(label), ...object });

  /** Makes one configuration for each webhook: the index of a mutating webhook counts those of all configurations. */
  async function configure(type: WebhookType, cases: Record<string, Chain>): Promise<void> {
    for (const [title, chain] of Object.entries(cases))
      for (const [index, { answer, webhook }] of chain.entries()) {
        const label = labelOf(type, title);
        const name = `${label}-${index}`;
        webhooks.handle(`/${name}`, typeof answer === 'function' ? answer : () => answer);
        const objectSelector = { matchLabels: { case: label } };
        const own = webhookOfCase(name, webhooks.clientConfig(`/${name}`), { objectSelector, ...webhook });
        await configureWebhooks(server.session, type, { name, webhooks: [own] }, () => Promise.resolve(true));
      }
    const probe = `${type.toLowerCase()}-probe`;
    const last = webhookOfCase(probe, webhooks.clientConfig(`/${probe}`));
    await configureWebhooks(server.session, type, { name: probe, webhooks: [last] }, async () => {
      await create(probe);
      return webhooks.takeCalls().some(({ path }) => path === `/${probe}`);
    });
  }

  /** Other requests about the object of a case. */
  function operationsOn(label: string): Record<string, () => Promise<unknown>> {
    const { session } = server;
    const path = `${configMaps}/${label}`;
    return {
      create: () => session.post(configMaps, objectOf(label)),
      'update without a change': () => session.merge(path, { data: { a: '2' } }),
      'create of what exists': () => session.post(configMaps, objectOf(label)),
      update: () => session.put(path, objectOf(label)),
      patch: () => session.merge(path, { data: { b: '1' } }),
      apply: () =>
        session.send('PATCH', `${path}?fieldManager=m&force=true`, {
          body: { apiVersion: 'v1', kind: 'ConfigMap', ...objectOf(label) },
          contentType: 'application/apply-patch+yaml',
        }),
      get: () => session.get(path),
      'dry run of a deletion': () => session.delete(`${path}?dryRun=All`),
      delete: () => session.delete(path),
      'deletion of many': async () => {
        await session.post(configMaps, objectOf(label));
        await session.delete(`${configMaps}?labelSelector=case%3D${label}`);
      },
    };
  }

  test.each([
    ['Validating', { ...single, ...failing }, 'annotations'],
    ['Mutating', { ...single, ...twice, ...failing, ...changes, ...ofKinds }, 'a change'],
  ] as const)(
    '%s',
    async (type, cases, stored) => {
      if (type === 'Mutating')
        await installCrd(
          server.session,
          crdOf('Hooked', { a: { type: 'string' }, d: { type: 'string', default: 'd' } }),
        );
      await configure(type, cases);
      const found: Record<string, unknown> = {};
      for (const title of Object.keys(cases)) {
        const { path, object } = kinds[title] ?? {};
        found[title] = await audited(server, () => create(labelOf(type, title), path, object));
      }
      for (const [title, act] of Object.entries(operationsOn(labelOf(type, stored))))
        found[`operations: ${title}`] = await audited(server, act);
      await expect(asRecorded(found)).toMatchFileSnapshot(
        `../recorded/audit-annotations/${type.toLowerCase()}-webhooks.yaml`,
      );
    },
    60_000,
  );
});

function labelOf(type: WebhookType, title: string): string {
  return slug(`${type[0]} ${title}`);
}
