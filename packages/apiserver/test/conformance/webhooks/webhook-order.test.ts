import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks } from '../../support/webhook-configurations.ts';
import { type WebhookCall, WebhookServer, patchedBy } from '../../support/webhook-server.ts';
import { outcomeOf, slug, webhookOfCase } from './case-session.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** A webhook of a case: when it changes the object, and whether it may be called again. */
interface Step {
  readonly changes?: 'always' | 'once';
  readonly again?: boolean;
}
const again = true;
const chains: Record<string, Step[]> = {
  'nothing changes': [{}, { again }, {}],
  'the last one changes': [{ again }, {}, { changes: 'once' }],
  'the first one changes': [{ changes: 'once', again }, { again }, {}],
  'one in the middle changes': [{ again }, { changes: 'once' }, { again }],
  'all change and may run again': [
    { changes: 'always', again },
    { changes: 'always', again },
    { changes: 'always', again },
  ],
  'all change and none may run again': [{ changes: 'always' }, { changes: 'always' }],
  'two change, one may run again': [{ changes: 'always', again }, { changes: 'always' }],
};

onEachServer('the order of webhooks', (server) => {
  let webhooks: WebhookServer;

  /** Configures webhooks of one type, whose paths are their keys. */
  async function configure(
    type: 'Mutating' | 'Validating',
    name: string,
    cases: readonly { key: string; label: string; rest?: object }[],
  ): Promise<void> {
    const probe = `${name}-probe`;
    const all = cases.map(({ key, label, rest }) =>
      webhookOfCase(key, webhooks.clientConfig(`/${key}`), {
        objectSelector: { matchLabels: { case: label } },
        ...rest,
      }),
    );
    const last = webhookOfCase(probe, webhooks.clientConfig(`/${probe}`));
    await configureWebhooks(server.session, type, { name, webhooks: [...all, last] }, async () => {
      const object = { metadata: { name: 'probe', labels: { case: probe } } };
      await server.session.post(`${configMaps}?dryRun=All`, object);
      return webhooks.takeCalls().some(({ path }) => path === `/${probe}`);
    });
  }

  beforeAll(async () => {
    webhooks = await WebhookServer.start();
  });
  afterAll(() => webhooks.close());

  const create = (label: string, name: string, query = '?dryRun=All') =>
    server.session.post(`${configMaps}${query}`, {
      metadata: { name, labels: { case: label } },
      data: { a: '1' },
    });

  test('configurations by name, then in their own order; those that may run again after a change', async () => {
    const cases = Object.entries(chains).flatMap(([title, steps]) =>
      steps.map(({ changes, again: isAgain }, index) => {
        const key = `${slug(title)}-${index}`;
        webhooks.handle(`/${key}`, (call) => (changes ? patchOf(call, changes, index) : {}));
        const reinvocationPolicy = isAgain ? 'IfNeeded' : 'Never';
        return { key, label: slug(title), rest: { reinvocationPolicy } };
      }),
    );
    // Created first, and called last.
    const isLate = ({ key }: { key: string }): boolean => key.endsWith('-2');
    await configure('Mutating', 'order-b', cases.filter(isLate));
    await configure(
      'Mutating',
      'order-a',
      cases.filter((one) => !isLate(one)),
    );
    const called: Record<string, string[]> = {};
    for (const title of Object.keys(chains)) {
      await create(slug(title), 'one');
      called[title] = webhooks.takeCalls().map(({ path }) => path.slice(-1));
    }
    await expect(asRecorded(called)).toMatchFileSnapshot('../recorded/webhooks/order.yaml');
  });

  test('validating webhooks are called at the same time', async () => {
    let release = (_decision: object): void => {};
    const second = new Promise<object>((resolve) => (release = resolve));
    webhooks.handle('/parallel-first', () => second);
    webhooks.handle('/parallel-second', () => {
      release({});
      return {};
    });
    await configure('Validating', 'parallel', [
      { key: 'parallel-first', label: 'parallel' },
      { key: 'parallel-second', label: 'parallel' },
    ]);
    expect((await create('parallel', 'one')).code).toBe(201);
  });

  test('what others write while a webhook decides counts', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    webhooks.handle('/meanwhile', async () => {
      const act = meanwhile;
      meanwhile = undefined;
      await act?.();
      return {};
    });
    await configure('Validating', 'meanwhile', [{ key: 'meanwhile', label: 'meanwhile' }]);
    const found: Record<string, unknown> = {};
    const path = `${configMaps}/meanwhile`;
    const update = { metadata: { name: 'meanwhile', labels: { case: 'meanwhile' } }, data: { a: '2' } };
    const writes: Record<string, (version: string) => Promise<any>> = {
      'an update': () => server.session.put(path, update),
      'an update of a version': (resourceVersion) =>
        server.session.put(path, { ...update, metadata: { ...update.metadata, resourceVersion } }),
      'a patch': () => server.session.merge(path, { data: { a: '2' } }),
      'a patch of a version': (resourceVersion) =>
        server.session.merge(path, { metadata: { resourceVersion }, data: { a: '2' } }),
      'a deletion': () => server.session.delete(path),
    };
    const others: Record<string, () => Promise<unknown>> = {
      'another patches': () => server.session.merge(path, { data: { b: '3' } }),
      'another deletes': () => server.session.delete(path),
    };
    for (const [title, write] of Object.entries(writes))
      for (const [other, act] of Object.entries(others)) {
        const { body } = await create('meanwhile', 'meanwhile', '');
        webhooks.takeCalls();
        meanwhile = act;
        const { code, message, data } = outcomeOf(await write(body.metadata.resourceVersion));
        const left = await server.session.get(path);
        const calls = webhooks.takeCalls().length;
        found[`${title}, ${other}`] = {
          code,
          ...(message ? { message } : { data }),
          left: left.body.data ?? null,
          calls,
        };
        await server.session.delete(path);
      }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/meanwhile.yaml');
  });

  test('webhooks do not see the configuration of webhooks and policies', async () => {
    for (const type of ['Mutating', 'Validating'] as const)
      await configure(type, `itself-${type.toLowerCase()}`, [
        {
          key: `itself-${type.toLowerCase()}`,
          label: 'itself',
          rest: { rules: everything, failurePolicy: 'Fail' },
        },
      ]);
    const found: Record<string, unknown> = {};
    for (const [plural, rest] of Object.entries(admissionKinds)) {
      const collection = `/apis/admissionregistration.k8s.io/v1/${plural}`;
      const path = `${collection}/itself`;
      const { session } = server;
      const object = { metadata: { name: 'itself', labels: { case: 'itself' } }, ...rest };
      webhooks.takeCalls();
      const created = await session.post(collection, object);
      const { metadata } = created.body;
      const answers = [
        created,
        await session.put(path, { ...object, metadata: { ...metadata, annotations: { a: 'b' } } }),
        await session.merge(path, { metadata: { annotations: { a: 'c' } } }),
        await session.merge(`${path}/status`, { metadata: { annotations: { a: 'd' } } }),
        await session.delete(path),
        await session.delete(`${collection}?labelSelector=case=itself`),
      ];
      found[plural] = {
        codes: answers.map(({ code }) => code),
        calls: webhooks.takeCalls().map((call) => call.path),
      };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/admission-kinds.yaml');
    await create('itself', 'one');
    expect(webhooks.takeCalls()).toHaveLength(2);
  });
});

const everything = [
  { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' },
];
const matchConstraints = {
  resourceRules: [
    { operations: ['CREATE'], apiGroups: ['none.example.com'], apiVersions: ['v1'], resources: ['nothings'] },
  ],
};
const configured = {
  webhooks: [
    {
      name: 'unused.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/unused' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};
/** The kinds that configure admission, with what they require. */
const admissionKinds: Record<string, object> = {
  mutatingwebhookconfigurations: configured,
  validatingwebhookconfigurations: configured,
  validatingadmissionpolicies: { spec: { matchConstraints, validations: [{ expression: 'true' }] } },
  validatingadmissionpolicybindings: { spec: { policyName: 'p', validationActions: ['Deny'] } },
  mutatingadmissionpolicies: {
    spec: {
      matchConstraints,
      reinvocationPolicy: 'Never',
      mutations: [
        { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test", path: "/a"}]' } },
      ],
    },
  },
  mutatingadmissionpolicybindings: { spec: { policyName: 'p' } },
};

/** The patch of a webhook: an annotation that gets longer with each call, or that is set once. */
function patchOf({ review }: WebhookCall, changes: 'always' | 'once', index: number): object {
  const { annotations = {} } = review.request.object.metadata;
  const name = `webhook-${index}`;
  if (changes === 'once' && annotations[name]) return {};
  const value = { ...annotations, [name]: `${annotations[name] ?? ''}x` };
  return patchedBy([{ op: 'add', path: '/metadata/annotations', value }]);
}
