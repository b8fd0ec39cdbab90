import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { configMaps, until } from '../../support/fixtures.ts';
import { normalize } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { shown } from '../../support/shown-review.ts';
import { configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import { type WebhookCall, WebhookServer, patchedBy } from '../../support/webhook-server.ts';

const namespaces = '/api/v1/namespaces';
const registration = '/apis/admissionregistration.k8s.io/v1';
const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
const namespaceController = 'system:serviceaccount:kube-system:namespace-controller';
const policyRefusal = 'not by a controller';

/** What the controllers write passes admission, as in a cluster. */
onEachServer('admission of controllers', { controllers: {} }, (server) => {
  let webhooks: WebhookServer;
  /** Tells whether the webhook at `/decider` refuses a request. */
  let isRefused: (request: any) => boolean;
  const decide = ({ review: { request } }: WebhookCall) =>
    isRefused(request)
      ? { allowed: false, status: { message: `${request.oldObject.metadata.name} stays` } }
      : {};

  beforeAll(async () => {
    webhooks = await WebhookServer.start();
    const objectSelector = { matchLabels: { seen: 'yes' } };
    for (const [type, path] of [
      ['Mutating', '/mutating'],
      ['Validating', '/decider'],
    ] as const) {
      const webhook = webhookOf(path.slice(1), webhooks.clientConfig(path), { objectSelector });
      const configuration = { name: 'seeing', webhooks: [webhook] };
      await configureWebhooks(server.session, type, configuration, async () => {
        const metadata = { name: 'probe', labels: { seen: 'yes' } };
        await server.session.post(`${configMaps}?dryRun=All`, { metadata });
        return webhooks.takeCalls().some((call) => call.path === path);
      });
    }
    webhooks.handle('/decider', decide);
  });
  beforeEach(() => {
    isRefused = () => false;
    webhooks.takeCalls();
  });
  afterAll(() => webhooks.close());

  const create = async (name: string, owners: object[] = [], extra: object = {}, path = configMaps) => {
    const { code, body } = await server.session.post(path, {
      metadata: { name, labels: { seen: 'yes' }, ownerReferences: owners, ...extra },
    });
    expect([code, body.message]).toStrictEqual([201, undefined]);
    const { apiVersion, kind, metadata } = body;
    return { apiVersion, kind, name, uid: metadata.uid };
  };
  const blocking = (owner: object) => ({ ...owner, blockOwnerDeletion: true });
  const gone = (path: string) => until(async () => (await server.session.get(path)).code === 404);
  const ownersOf = async (name: string) =>
    ((await server.session.get(`${configMaps}/${name}`)).body.metadata.ownerReferences ?? []).map(
      (owner: any) => owner.name,
    );
  const isBy = (user: string) => (call: WebhookCall) => call.review.request.userInfo.username === user;
  /** What a controller wrote so far. */
  const writesOf = (user: string) => webhooks.takeCalls().filter(isBy(user)).map(shown);
  /** Waits until the webhook has refused deletions of an object, so its controller tries again. */
  const refusedOften = async (name: string) => {
    const calls = () =>
      webhooks.calls.filter(({ path, review }) => path === '/decider' && isAbout(name, review));
    await until(async () => calls().length >= 4);
  };
  const isAbout = (name: string, { request }: any) =>
    (request.oldObject?.metadata.name ?? request.name) === name && isRefused(request);
  const isDeletionOf =
    (...names: string[]) =>
    ({ operation, oldObject }: any) =>
      operation === 'DELETE' && names.includes(oldObject.metadata.name);
  const recorded = (name: string) => `../recorded/controllers/${name}.yaml`;
  const conditionsOf = async (name: string) =>
    (await server.session.get(`${namespaces}/${name}`)).body.status.conditions ?? [];

  test('webhooks see what the garbage collector deletes', async () => {
    await create('dependent', [await create('owner')]);
    await server.session.delete(`${configMaps}/owner`);
    await gone(`${configMaps}/dependent`);
    await expect(asRecorded(writesOf(collector))).toMatchFileSnapshot(recorded('deletion-of-garbage'));
  });

  test('webhooks see the references that the garbage collector removes', async () => {
    const [leaving, staying] = [await create('leaving'), await create('staying')];
    await create('shared', [leaving, staying]);
    await server.session.delete(`${configMaps}/leaving`);
    await until(async () => (await ownersOf('shared')).length === 1);
    await expect(asRecorded(writesOf(collector))).toMatchFileSnapshot(recorded('removal-of-references'));
  });

  test('webhooks see how dependents are orphaned', async () => {
    await create('orphan', [await create('parent')]);
    await server.session.delete(`${configMaps}/parent?propagationPolicy=Orphan`);
    await gone(`${configMaps}/parent`);
    await expect(asRecorded(writesOf(collector))).toMatchFileSnapshot(recorded('orphaning'));
  });

  test('webhooks see a deletion in the foreground', async () => {
    const middle = await create('middle', [blocking(await create('top'))]);
    await create('bottom', [blocking(middle)]);
    await server.session.delete(`${configMaps}/top?propagationPolicy=Foreground`);
    await gone(`${configMaps}/top`);
    await expect(asRecorded(writesOf(collector))).toMatchFileSnapshot(recorded('foreground'));
  });

  test('webhooks change what the garbage collector writes', async () => {
    await create('changed', [await create('changer')]);
    webhooks.handle('/mutating', ({ review: { request } }) =>
      request.userInfo.username === collector && request.operation === 'UPDATE'
        ? patchedBy([{ op: 'add', path: '/metadata/labels/orphaned', value: 'yes' }])
        : {},
    );
    await server.session.delete(`${configMaps}/changer?propagationPolicy=Orphan`);
    await gone(`${configMaps}/changer`);
    webhooks.handle('/mutating', () => ({}));
    const { metadata } = (await server.session.get(`${configMaps}/changed`)).body;
    expect(metadata.labels).toStrictEqual({ seen: 'yes', orphaned: 'yes' });
  });

  test('the garbage collector tries again until a webhook allows a deletion, and deletes others meanwhile', async () => {
    const owner = await create('refusing');
    await create('refused', [owner]);
    await create('allowed', [owner]);
    isRefused = isDeletionOf('refused');
    await server.session.delete(`${configMaps}/refusing`);
    await gone(`${configMaps}/allowed`);
    await refusedOften('refused');
    const { code, body } = await server.session.get(`${configMaps}/refused`);
    expect([code, body.metadata.deletionTimestamp]).toStrictEqual([200, undefined]);
    const events = (await server.session.get(`${namespaces}/default/events`)).body.items;
    expect(events.filter(({ involvedObject }: any) => involvedObject.name === 'refused')).toStrictEqual([]);
    isRefused = () => false;
    await gone(`${configMaps}/refused`);
  }, 60_000);

  test('an owner waits for a dependent whose deletion is refused', async () => {
    await create('kept', [blocking(await create('keeper'))]);
    isRefused = isDeletionOf('kept');
    await server.session.delete(`${configMaps}/keeper?propagationPolicy=Foreground`);
    await refusedOften('kept');
    expect((await server.session.get(`${configMaps}/keeper`)).body.metadata.finalizers).toStrictEqual([
      'foregroundDeletion',
    ]);
    isRefused = () => false;
    await gone(`${configMaps}/keeper`);
  }, 60_000);

  test('an owner waits for a dependent that may not be orphaned', async () => {
    const owner = await create('left');
    await create('left-behind', [owner]);
    await create('left-later', [owner]);
    isRefused = ({ operation, name }) => operation === 'UPDATE' && name === 'left-later';
    await server.session.delete(`${configMaps}/left?propagationPolicy=Orphan`);
    await refusedOften('left-later');
    await until(async () => (await ownersOf('left-behind')).length === 0);
    expect((await server.session.get(`${configMaps}/left`)).body.metadata.finalizers).toStrictEqual([
      'orphan',
    ]);
    expect(await ownersOf('left-later')).toStrictEqual(['left']);
    isRefused = () => false;
    await gone(`${configMaps}/left`);
    expect(await ownersOf('left-later')).toStrictEqual([]);
  }, 60_000);

  test('an owner stays while a webhook refuses the removal of its finalizer', async () => {
    await create('held');
    isRefused = ({ operation, name }) => operation === 'UPDATE' && name === 'held';
    await server.session.delete(`${configMaps}/held?propagationPolicy=Foreground`);
    await refusedOften('held');
    expect((await server.session.get(`${configMaps}/held`)).code).toBe(200);
    isRefused = () => false;
    await gone(`${configMaps}/held`);
  }, 60_000);

  test('an object that changes while a webhook looks at its deletion is deleted', async () => {
    await create('changing', [await create('steady')]);
    let count = 0;
    webhooks.handle('/decider', async ({ review: { request } }) => {
      if (!isDeletionOf('changing')(request) || request.userInfo.username !== collector) return {};
      count += 1;
      const changed = { metadata: { annotations: { count: `${count}` } } };
      if (count < 2) await server.session.merge(`${configMaps}/changing`, changed);
      return {};
    });
    webhooks.takeCalls();
    await server.session.delete(`${configMaps}/steady`);
    await gone(`${configMaps}/changing`);
    const options = webhooks
      .takeCalls()
      .filter(isBy(collector))
      .map((call) => shown(call)[1]);
    webhooks.handle('/decider', decide);
    await expect(asRecorded(options)).toMatchFileSnapshot(recorded('changed-garbage'));
  });

  test('a policy refuses what the garbage collector deletes', async () => {
    const policy = {
      metadata: { name: 'no-garbage' },
      spec: {
        matchConstraints: {
          objectSelector: { matchLabels: { policed: 'yes' } },
          resourceRules: [
            { operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
          ],
        },
        validations: [{ expression: `request.userInfo.username != '${collector}'`, message: policyRefusal }],
      },
    };
    const binding = {
      metadata: { name: 'no-garbage' },
      spec: { policyName: 'no-garbage', validationActions: ['Deny'] },
    };
    expect((await server.session.post(`${registration}/validatingadmissionpolicies`, policy)).code).toBe(201);
    const bound = `${registration}/validatingadmissionpolicybindings`;
    expect((await server.session.post(bound, binding)).code).toBe(201);
    // A real server needs a moment.
    const asCollector = { headers: { 'impersonate-user': collector, 'impersonate-group': 'system:masters' } };
    await create('policed', [], { labels: { policed: 'yes' } });
    await until(async () => {
      const path = `${configMaps}/policed?dryRun=All`;
      return (await server.session.send('DELETE', path, asCollector)).code === 422;
    });
    const owner = await create('policing');
    await create('of-policing', [owner], { labels: { policed: 'yes' } });
    await create('unpoliced', [owner]);
    await server.session.delete(`${configMaps}/policing`);
    await gone(`${configMaps}/unpoliced`);
    expect((await server.session.get(`${configMaps}/of-policing`)).code).toBe(200);
    await server.session.delete(`${bound}/no-garbage`);
    await gone(`${configMaps}/of-policing`);
  }, 60_000);

  test('webhooks see how a namespace is emptied and finalized', async () => {
    await create('emptied', [], {}, namespaces);
    const inside = `${namespaces}/emptied`;
    for (const name of ['a', 'b']) await create(name, [], {}, `${inside}/configmaps`);
    await create('held', [], { finalizers: ['example.com/hold'] }, `${inside}/secrets`);
    webhooks.takeCalls();
    await server.session.delete(inside);
    await until(async () => (await conditionsOf('emptied')).length > 0);
    await server.session.merge(`${inside}/secrets/held`, { metadata: { finalizers: null } });
    await gone(inside);
    const writes = writesOf(namespaceController).map((call) => JSON.stringify(call));
    // In any order, and as often as the controller looks.
    const distinct = [...new Set(writes)].toSorted().map((call) => JSON.parse(call) as unknown);
    await expect(asRecorded(distinct)).toMatchFileSnapshot(recorded('deletion-of-namespace'));
  }, 90_000);

  test('a namespace says which content a webhook does not let go', async () => {
    await create('locked', [], {}, namespaces);
    const inside = `${namespaces}/locked`;
    for (const plural of ['configmaps', 'secrets', 'services'])
      for (const name of ['first', 'second', 'third']) {
        const ports = plural === 'services' ? { spec: { ports: [{ port: 1 }] } } : {};
        const metadata = { name, labels: { seen: 'yes' } };
        expect((await server.session.post(`${inside}/${plural}`, { metadata, ...ports })).code).toBe(201);
      }
    isRefused = (request) => isDeletionOf('second')(request) && request.resource.resource !== 'services';
    await server.session.delete(inside);
    await until(async () =>
      (await conditionsOf('locked')).some(
        ({ type, status }: any) => /Failure/.test(type) && status === 'True',
      ),
    );
    await refusedOften('second');
    const namesOf = async (plural: string) =>
      (await server.session.get(`${inside}/${plural}`)).body.items.map(({ metadata }: any) => metadata.name);
    const left: Record<string, unknown> = {};
    for (const plural of ['configmaps', 'secrets', 'services']) left[plural] = await namesOf(plural);
    const { status, spec } = (await server.session.get(inside)).body;
    await expect(asRecorded({ left, spec, status: normalize(status) })).toMatchFileSnapshot(
      recorded('refused-content'),
    );
    isRefused = () => false;
    await gone(inside);
  }, 90_000);

  test('pods that a webhook does not let go do not delay the rest of a namespace', async () => {
    await create('guarded', [], {}, namespaces);
    const inside = `${namespaces}/guarded`;
    const spec = { nodeName: 'node', containers: [{ name: 'a', image: 'a' }] };
    await server.session.post(`${inside}/pods`, {
      metadata: { name: 'guard', labels: { seen: 'yes' } },
      spec,
    });
    await create('free', [], {}, `${inside}/configmaps`);
    isRefused = isDeletionOf('guard');
    await server.session.delete(inside);
    await gone(`${inside}/configmaps/free`);
    await until(async () => (await conditionsOf('guarded')).length > 0);
    expect(
      (await server.session.get(`${inside}/pods/guard`)).body.metadata.deletionTimestamp,
    ).toBeUndefined();
    await expect(asRecorded(normalize(await conditionsOf('guarded')))).toMatchFileSnapshot(
      recorded('refused-pods'),
    );
    isRefused = () => false;
    await until(async () => {
      const { body } = await server.session.get(`${inside}/pods/guard`);
      return body.metadata.deletionTimestamp !== undefined;
    });
    await server.session.delete(`${inside}/pods/guard?gracePeriodSeconds=0`);
    await gone(inside);
  }, 90_000);

  test('a webhook that refuses the conditions of a namespace does not keep it', async () => {
    await create('mute', [], {}, namespaces);
    isRefused = ({ subResource, name }) => subResource === 'status' && name === 'mute';
    await server.session.delete(`${namespaces}/mute`);
    await gone(`${namespaces}/mute`);
    const refused = webhooks.takeCalls().filter(({ review }) => isRefused(review.request));
    expect(refused.filter(({ path }) => path === '/decider')).toHaveLength(1);
  }, 60_000);

  test('a namespace stays while a webhook refuses its end', async () => {
    await create('endless', [], {}, namespaces);
    isRefused = ({ subResource, name }) => subResource === 'finalize' && name === 'endless';
    await server.session.delete(`${namespaces}/endless`);
    await refusedOften('endless');
    expect((await server.session.get(`${namespaces}/endless`)).body.spec.finalizers).toStrictEqual([
      'kubernetes',
    ]);
    isRefused = () => false;
    await gone(`${namespaces}/endless`);
  }, 90_000);

  for (const [title, fail] of [
    ['is down', (call: WebhookCall) => call.response.destroy()],
    ['hangs', () => {}],
  ] as const) {
    test(`a webhook that ${title} delays only what it wants to see`, async () => {
      const failing = title.replaceAll(' ', '-');
      const objectSelector = { matchLabels: { failing } };
      const webhook = webhookOf(failing, webhooks.clientConfig(`/${failing}`), {
        objectSelector,
        timeoutSeconds: 1,
      });
      const dry = { metadata: { name: 'probe', labels: { failing } } };
      await configureWebhooks(
        server.session,
        'Validating',
        { name: failing, webhooks: [webhook] },
        async () => {
          await server.session.post(`${configMaps}?dryRun=All`, dry);
          return webhooks.takeCalls().some(({ path }) => path === `/${failing}`);
        },
      );
      const owner = await create(`owner-${failing}`);
      for (const index of [0, 1, 2]) await create(`${failing}-${index}`, [owner], { labels: { failing } });
      await create(`free-${failing}`, [owner]);
      webhooks.handle(`/${failing}`, (call) => void fail(call));
      await server.session.delete(`${configMaps}/owner-${failing}`);
      await gone(`${configMaps}/free-${failing}`);
      await until(async () => webhooks.calls.filter(({ path }) => path === `/${failing}`).length > 6);
      expect((await server.session.get(`${configMaps}/${failing}-0`)).code).toBe(200);
      webhooks.handle(`/${failing}`, () => ({}));
      for (const index of [0, 1, 2]) await gone(`${configMaps}/${failing}-${index}`);
    }, 60_000);
  }
});
