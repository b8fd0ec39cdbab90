import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Event, Pod, type Service } from 'ots-kubernetes/core/v1';
import {
  type Client,
  type Condition,
  ControllerBuilder,
  type DeepReadonly,
  type Kind,
  type KubernetesObject,
  Manager,
  controllerReference,
  createLogger,
  defineKind,
  isControlledBy,
  type Result,
  objectReconciler,
  setCondition,
} from 'ots-runtime';
import {
  type ChangeContext,
  DifferentTracesError,
  type Images,
  type TestEnvironment,
  type TorturePlan,
  type TortureProgress,
  type TortureSetup,
  readyWithChildren,
  requestBudget,
  torture,
} from 'ots-testing';
import { expect, test } from 'vitest';

interface Page extends KubernetesObject {
  spec: { text: string; lines?: number };
  status?: { observedGeneration?: number; conditions?: Condition[] };
}
const Page = defineKind<Page>({
  apiVersion: 'example.com/v1',
  kind: 'Page',
  plural: 'pages',
  scope: 'Namespaced',
});
const properties = {
  spec: {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1 },
      lines: { type: 'integer', minimum: 1, maximum: 3 },
      color: { type: 'string', default: 'black' },
    },
    required: ['text'],
  },
  status: {
    type: 'object',
    properties: { observedGeneration: { type: 'integer' } },
    'x-kubernetes-preserve-unknown-fields': true,
  },
};
const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pages.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Page', plural: 'pages' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties } },
      },
    ],
  },
};
const key = { namespace: 'default', name: 'home' };

/** @param apiReader reads from the server, not from the cache */
type Reconcile = (
  page: DeepReadonly<Page>,
  client: Client,
  apiReader: Client,
) => Promise<Result | undefined | void>;

/** A ConfigMap of a page. */
function file(page: DeepReadonly<Page>, name: string, data: Record<string, string> = {}) {
  const metadata = { namespace: 'default', name, ownerReferences: [controllerReference(page)] };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as const;
}

/** Creates a manager with a controller of pages. */
function startOf(reconcile: Reconcile, owned: Kind): TortureSetup['start'] {
  return async (connection, { leaderElection }) => {
    const logger = createLogger({ level: 'silent' });
    const manager = await Manager.create({ connection, userAgent: 'pages', logger, leaderElection });
    const { client, apiReader } = manager;
    const reconciler = objectReconciler(client, Page, async (page) =>
      page.metadata.deletionTimestamp ? undefined : await reconcile(page, client, apiReader),
    );
    new ControllerBuilder(manager).for(Page).owns(owned).complete(reconciler);
    return manager;
  };
}

/** An operator that owns ConfigMaps. */
function operatorOf(reconcile: Reconcile, changes: Partial<TortureSetup> = {}): TortureSetup {
  const object: Page = {
    apiVersion: 'example.com/v1',
    kind: 'Page',
    metadata: key,
    spec: { text: 'hello', lines: 2 },
  };
  return {
    environment: { objects: [definition] },
    identity: { user: 'operator', groups: ['system:masters'] },
    start: startOf(reconcile, ConfigMap),
    object,
    changes: { 'is rewritten': ({ client }) => client.patch(Page, key, { spec: { text: 'bye' } }) },
    ...changes,
  };
}

const sound: Reconcile = async (page, client) => {
  const { text, lines = 0 } = page.spec;
  await client.apply(ConfigMap, file(page, 'home', { text, lines: String(lines) }), { force: true });
  await client.apply(ConfigMap, file(page, 'index'), { force: true });
  const status = { observedGeneration: page.metadata.generation! };
  if (page.status?.observedGeneration !== status.observedGeneration)
    await client.status.patch(Page, key, { status });
};

test('a sound operator has no findings, whatever happens to it', async () => {
  const plans: TorturePlan[] = [];
  const onProgress = ({ plan }: TortureProgress) => void plans.push(plan);
  const setup = operatorOf(sound, { leaderElection, repairsEdits: true });
  const report = await torture(setup, { onProgress });
  expect(report.findings).toEqual([]);
  expect(plans.filter(({ phase }) => phase === 'deletion')).toMatchObject([
    { step: 1, policy: 'Background' },
    { step: 1, policy: 'Foreground' },
    { step: 2, policy: 'Foreground' },
    { step: 1, policy: 'Orphan' },
    { step: 2, policy: 'Orphan' },
  ]);
  expect(report).toMatchObject({ object: 'Page default/home', seed: 1, masked: [] });
  expect(report.writes.slice(0, 3)).toEqual([
    'patch configmaps default/home',
    'patch configmaps default/index',
    'patch pages/status.example.com default/home',
  ]);
  expect(report.plans.tried).toBe(report.plans.all);
  expect(report.plans.skipped).toBeGreaterThan(0);
});

/** The second object is made only with the first: the published bug K8SPSMDB-578 in few words. */
const onlyWithTheFirst: Reconcile = async (page, client) => {
  if (await client.get(ConfigMap, { ...key, name: 'home' })) return;
  await client.create(ConfigMap, file(page, 'home'));
  await client.create(ConfigMap, file(page, 'index'));
};

test('a crash between two writes: the finding says what, when, where, and how to replay it', async () => {
  const setup = operatorOf(onlyWithTheFirst, { changes: {} });
  const { findings } = await torture(setup);
  expect(findings).toHaveLength(1);
  const [finding] = findings;
  expect(finding).toMatchObject({
    id: 'crash-converges-configmaps-default-index',
    pattern: 'crash',
    oracle: 'converges',
    consequence: 'configmaps default/index is missing',
    plan: { phase: 'crash', step: 0, write: 1 },
    description:
      'The operator ends after write 1 (create configmaps default/home) when the object is created, before it knows the response, and starts again',
    replays: true,
    link: 'docs/runtime/patterns.md#between-two-writes',
  });
  expect(finding!.timeline).toEqual(
    expect.arrayContaining([
      { time: 0, actor: 'user', what: 'the object is created' },
      { time: 0, actor: 'operator', what: 'create configmaps default/home', isCause: true },
      { time: 0, actor: 'plan', what: 'the operator ends, and a new one starts' },
    ]),
  );
  expect(finding!.source?.file).toBe(import.meta.filename);
  const { findings: replayed } = await torture(setup, { plans: [finding!.plan] });
  expect(replayed).toEqual([{ ...finding, plans: 1 }]);
});

test('a crash between what the operator sees and what it does about that', async () => {
  let seen: string | undefined;
  const edge: Reconcile = async (page, client) => {
    const { text } = page.spec;
    // A new process does not know what the text was.
    if (seen === undefined)
      await client.apply(ConfigMap, file(page, 'home', { text: 'hello' }), { force: true });
    if (seen !== undefined && seen !== text)
      await client.apply(ConfigMap, file(page, 'home', { text }), { force: true });
    seen = text;
  };
  const start = startOf(edge, ConfigMap);
  const forgetful: TortureSetup['start'] = (...connection) => {
    seen = undefined;
    return start(...connection);
  };
  const plans: TorturePlan[] = [
    { phase: 'crash', step: 0, write: 1 },
    { phase: 'crash-before', step: 1, write: 1 },
  ];
  const { findings } = await torture(operatorOf(edge, { start: forgetful }), { plans });
  expect(findings).toMatchObject([
    {
      id: 'crash-converges-configmaps-default-home-data.text',
      description:
        'The operator ends before write 1 (patch configmaps default/home) when the object is rewritten, and starts again',
      plans: 1,
      replays: true,
    },
  ]);
});

test.each<[string, Reconcile, TorturePlan, object]>([
  [
    'writes at rest',
    async (page, client) => {
      const text = String(Date.now());
      await client.apply(ConfigMap, file(page, 'home', { text }));
      return { requeueAfter: '1m' };
    },
    { phase: 'undisturbed' },
    { oracle: 'rests', pattern: 'undisturbed' },
  ],
  [
    'a status that does not follow',
    async (page, client) => {
      if (!page.status) await client.status.patch(Page, key, { status: { observedGeneration: 1 } });
    },
    { phase: 'undisturbed' },
    { oracle: 'status', consequence: /observedGeneration is 1 and the generation 2/ },
  ],
  [
    'a reconcile that throws',
    async (page, client) => {
      await client.apply(ConfigMap, file(page, 'home', { text: page.spec.text }));
      if (page.spec.text === 'bye') throw new TypeError('no text');
    },
    { phase: 'undisturbed' },
    { oracle: 'errors', consequence: /fails: TypeError: no text/ },
  ],
  [
    'a promise that nothing handles',
    async (page, client) => {
      await client.apply(ConfigMap, file(page, 'home', { text: page.spec.text }));
      if (page.spec.lines === undefined) void Promise.reject(new Error('no lines'));
    },
    { phase: 'spec', path: ['spec', 'lines'], value: null },
    { oracle: 'survives', consequence: /a promise was rejected/ },
  ],
  [
    'a field that stays when it is removed',
    async (page, client) => {
      const lines = page.spec.lines === undefined ? {} : { lines: String(page.spec.lines) };
      const current = await client.get(ConfigMap, key);
      if (current) await client.patch(ConfigMap, key, { data: { text: page.spec.text, ...lines } });
      else await client.create(ConfigMap, file(page, 'home', { text: page.spec.text, ...lines }));
    },
    { phase: 'spec', path: ['spec', 'lines'], value: null },
    {
      oracle: 'converges',
      pattern: 'changed spec',
      consequence: 'configmaps default/home: data.lines is "2" and should not be there',
    },
  ],
  [
    'a name that is taken again',
    async (page, client) => {
      const current = await client.get(ConfigMap, key);
      if (current?.data?.['text'] !== undefined) return;
      await client.create(ConfigMap, file(page, 'home', { text: page.spec.text }));
    },
    { phase: 'fresh', step: 1 },
    { oracle: 'converges', consequence: 'configmaps default/home: data.text is "hello" and should be "bye"' },
  ],
])('finds %s', async (_, reconcile, plan, expected) => {
  const { findings } = await torture(operatorOf(reconcile), { plans: [plan] });
  const matching = Object.entries(expected).map(([name, value]) => [
    name,
    value instanceof RegExp ? (expect.stringMatching(value) as unknown) : (value as unknown),
  ]);
  expect(findings).toEqual([expect.objectContaining({ ...Object.fromEntries(matching), replays: true })]);
});

test('what two changes of the spec show together', async () => {
  const reconcile: Reconcile = async ({ spec, ...page }, client) => {
    const text = spec.text === 'bye' && spec.lines === 3 ? String(page.metadata.resourceVersion) : spec.text;
    await client.apply(ConfigMap, file({ spec, ...page }, 'home', { text }), { force: true });
  };
  const text = { path: ['spec', 'text'], value: 'bye' } as const;
  const lines = { path: ['spec', 'lines'], value: 3 } as const;
  const plans: TorturePlan[] = [
    { phase: 'spec', ...text },
    { phase: 'spec', ...lines },
    { phase: 'spec-pair', changes: [text, lines] },
  ];
  const { findings } = await torture(operatorOf(reconcile), { plans });
  expect(findings).toMatchObject([
    {
      id: 'changed-spec-converges-configmaps-default-home-data.text',
      description: 'A user sets spec.text to "bye" and sets spec.lines to 3, and takes that back',
      plans: 1,
    },
  ]);
});

test('fields of the spec whose changes are not visible elsewhere are named', async () => {
  const reconcile: Reconcile = async (page, client) => {
    await client.apply(ConfigMap, file(page, 'home', { text: page.spec.text }), { force: true });
  };
  const plans: TorturePlan[] = [
    { phase: 'spec', path: ['spec', 'text'], value: 'hello-2', isGuess: true },
    { phase: 'spec', path: ['spec', 'lines'], value: null },
    { phase: 'spec', path: ['spec', 'lines'], value: 1 },
    // The default replaces it.
    { phase: 'spec', path: ['spec', 'color'], value: null },
  ];
  const { fields, findings } = await torture(operatorOf(reconcile), { plans });
  expect(findings).toEqual([]);
  expect(fields).toEqual({ 'spec.text': true, 'spec.lines': false });
});

test('what people edit by hand must be repaired only if the author says so', async () => {
  const once: Reconcile = async (page, client) => {
    if (!(await client.get(ConfigMap, key)))
      await client.create(ConfigMap, file(page, 'home', { text: 'a' }));
  };
  const changes = {};
  expect((await torture(operatorOf(once, { changes }))).findings).toEqual([]);
  const { findings } = await torture(operatorOf(once, { changes, repairsEdits: true }));
  expect(findings).toMatchObject([
    {
      pattern: 'edit by hand',
      oracle: 'repairs',
      consequence: 'configmaps default/home: data.text is "a-edited" and should be "a"',
    },
  ]);
});

test('an operator without a right: the report names the request', async () => {
  const rule = { apiGroups: ['', 'example.com'], resources: ['*'], verbs: ['get', 'list', 'watch'] };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' };
  const reading: KubernetesObject[] = [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules: [rule],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reader' },
      roleRef,
      subjects: [{ kind: 'User', name: 'reader', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ] as unknown as KubernetesObject[];
  const { findings } = await torture(
    operatorOf(sound, { identity: { user: 'reader' }, environment: { objects: [definition, ...reading] } }),
    { plans: [{ phase: 'undisturbed' }] },
  );
  expect(findings.map(({ oracle, consequence }) => `${oracle}: ${consequence}`)).toContain(
    'rights: the operator may not patch configmaps',
  );
});

const madeAgain: TortureSetup['changes'] = {
  'is made again': async ({ client }) => {
    await client.delete(Page, key);
    await client.create(Page, { ...operatorOf(sound).object, metadata: key } as Page);
  },
};
const leaderElection = { id: 'pages', namespace: 'default' };

test('an operator that deletes what belongs to another object than it has seen', async () => {
  const reconcile: Reconcile = async (page, client) => {
    const found = await client.get(ConfigMap, key);
    if (found && !isControlledBy(found, page)) await client.delete(ConfigMap, found);
    await client.apply(ConfigMap, file(page, 'home'), { force: true });
  };
  const setup = operatorOf(reconcile, { changes: madeAgain, leaderElection });
  const { findings } = await torture(setup, {
    plans: [{ phase: 'takeover', resource: 'pages.example.com', step: 1, write: 1, takesOver: 1 }],
  });
  expect(findings).toMatchObject([
    {
      id: 'stale-view-identity-configmaps-default-home',
      consequence:
        'configmaps default/home: the operator deletes what belongs to another Page than the one it has seen',
      link: 'docs/runtime/patterns.md#what-the-cache-does-not-know-yet',
    },
  ]);
});

/** Makes the file again when the text changes. */
function replacing(remove: (client: Client, found: DeepReadonly<ConfigMap>) => Promise<void>): Reconcile {
  return async (page, client) => {
    const found = await client.get(ConfigMap, key);
    if (found && found.data?.['text'] !== page.spec.text) await remove(client, found);
    if (!found) await client.create(ConfigMap, file(page, 'home', { text: page.spec.text }));
  };
}
const oldFiles: TorturePlan = {
  phase: 'takeover',
  resource: 'configmaps',
  step: 1,
  write: 1,
  takesOver: 1,
};

test('an operator that deletes another object than the one it has seen, by its name', async () => {
  const reconcile = replacing((client) => client.delete(ConfigMap, key));
  const { findings } = await torture(operatorOf(reconcile, { leaderElection }), { plans: [oldFiles] });
  expect(findings).toMatchObject([
    {
      id: 'stale-view-identity-configmaps-default-home',
      consequence: 'configmaps default/home: the operator deletes another one than the one it has seen',
    },
  ]);
});

test('what UIDs in preconditions prevent is counted', async () => {
  const reconcile = replacing((client, found) => client.delete(ConfigMap, found));
  const { findings, prevented } = await torture(operatorOf(reconcile, { leaderElection }), {
    plans: [oldFiles],
  });
  expect(findings).toEqual([]);
  expect(prevented['configmaps default/home']).toBeGreaterThan(0);
});

test('the time and the chance of an operator are those of the cluster', async () => {
  const seen: string[] = [];
  const reconcile: Reconcile = async (page, client) => {
    const before = Date.now();
    await sleep(5000);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    seen.push(`${Date.now() - before} ${new Date().getUTCFullYear()}`);
    const chance = `${randomBytes(4).toString('hex')} ${crypto.randomUUID()} ${Math.random()}`;
    await client.create(ConfigMap, file(page, 'home', { chance })).catch(() => {});
  };
  const setup = operatorOf(reconcile, { changes: {}, time: '5m' });
  const { masked } = await torture(setup, { plans: [] });
  expect(new Set(seen)).toEqual(new Set(['10000 2026']));
  expect(masked).toEqual(['configmaps default/home: data.chance']);
  expect(new Date().getUTCFullYear()).not.toBe(1970);
});

test('an operator that depends on what is outside of the cluster is not searched', async () => {
  let calls = 0;
  const reconcile: Reconcile = async (page, client) => {
    calls += 1;
    const { items } = await client.list(ConfigMap, { namespace: 'default' });
    if (items.length === 0) await client.create(ConfigMap, file(page, `file-${calls}`));
  };
  await expect(torture(operatorOf(reconcile))).rejects.toThrow(DifferentTracesError);
});

test('several processes share the plans, and a search ends when its time is up', async () => {
  const setup = operatorOf(onlyWithTheFirst, { changes: {} });
  const plans: string[][] = [[], []];
  for (const index of [0, 1])
    await torture(setup, {
      share: { index, of: 2 },
      onProgress: ({ plan }) => plans[index]!.push(JSON.stringify(plan)),
    });
  const { plans: all } = await torture(setup, { budget: '0s' });
  expect(all.tried).toBe(0);
  expect(new Set(plans.flat()).size).toBe(all.all);
  expect(plans.flat()).toHaveLength(all.all);
});

test('authors add oracles of their own', async () => {
  const oracles: TortureSetup['oracles'] = [
    {
      name: 'one file',
      check: async ({ client }) =>
        (await client.list(ConfigMap, { namespace: 'default' })).items.length > 1 ? ['two files'] : [],
    },
  ];
  const { findings } = await torture(operatorOf(sound, { oracles }), {
    plans: [{ phase: 'restart', step: 0 }],
  });
  expect(findings).toMatchObject([{ oracle: 'one file', consequence: 'two files' }]);
});

test('a request budget finds an operator that asks too often, also undisturbed', async () => {
  const reconcile: Reconcile = async (page, client, apiReader) => {
    for (let count = 0; count < 30; count += 1)
      await client.raw({ path: '/api/v1/namespaces/default/configmaps' });
    await sound(page, client, apiReader);
  };
  const plans: TorturePlan[] = [{ phase: 'undisturbed' }];
  const budget = (perStep: number) => ({ oracles: [requestBudget({ perStep })] });
  const { findings } = await torture(operatorOf(reconcile, budget(50)), { plans });
  expect(findings).toMatchObject([{ oracle: 'request budget', pattern: 'undisturbed' }]);
  expect(findings[0]!.consequence).toMatch(
    /^\d+ requests of at most 50 when the object is created: \d+ × list configmaps, /,
  );
  expect((await torture(operatorOf(reconcile, budget(500)), { plans })).findings).toEqual([]);
});

/** A Deployment of a page, whose image is the text of the page. */
function deploymentOf(page: DeepReadonly<Page>) {
  const labels = { app: 'home' };
  const metadata = { ...key, ownerReferences: [controllerReference(page)] };
  const containers = [{ name: 'web', image: `web:${page.spec.text}` }];
  const template = { metadata: { labels }, spec: { containers } };
  const strategy = { type: 'Recreate' } as const;
  return { metadata, spec: { selector: { matchLabels: labels }, strategy, template } };
}

/** Applies a Deployment, and says that its page is ready. @param isReady when */
function announcing(isReady: (deployment: DeepReadonly<Deployment>) => boolean): Partial<TortureSetup> {
  const reconcile: Reconcile = async (page, client) => {
    const deployment = await client.apply(Deployment, deploymentOf(page), { force: true });
    const status = isReady(deployment) ? 'True' : 'False';
    const conditions = setCondition(page.status?.conditions, {
      type: 'Ready',
      status,
      reason: 'Looked',
      message: '',
    });
    await client.status.patch(Page, key, { status: { conditions } });
  };
  return {
    environment: { objects: [definition], workloads: {} },
    start: startOf(reconcile, Deployment),
    oracles: [readyWithChildren],
    changes: {},
  };
}

test('an object is ready only with its children, if the author wants that', async () => {
  const plans: TorturePlan[] = [
    { phase: 'undisturbed' },
    { phase: 'workload', step: 0, failure: 'image pull' },
  ];
  const always = operatorOf(
    sound,
    announcing(() => true),
  );
  expect((await torture(always, { plans })).findings).toMatchObject([
    {
      oracle: 'ready with children',
      consequence: 'deployments.apps default/home: no pod is ready, and the condition Ready is True',
    },
  ]);
  const honest = operatorOf(
    sound,
    announcing(({ status }) => (status?.readyReplicas ?? 0) > 0),
  );
  expect((await torture(honest, { plans })).findings).toEqual([]);
});

test('a user can take back a version that does not exist', async () => {
  const waiting: Reconcile = async (page, client) => {
    const current = await client.get(Deployment, key);
    if (current && !current.status?.availableReplicas) return;
    await client.apply(Deployment, deploymentOf(page), { force: true });
  };
  const environment = { objects: [definition], workloads: {} };
  const plans: TorturePlan[] = [
    { phase: 'spec', path: ['spec', 'text'], value: 'hello-2', isGuess: true },
    { phase: 'rollback', step: 1 },
  ];
  const setup = operatorOf(waiting, { environment, start: startOf(waiting, Deployment) });
  const { findings } = await torture(setup, { plans });
  expect(findings).toMatchObject([
    {
      id: 'changed-spec-rolls-back-deployments.apps-default-home-spec.template.spec.containers.image',
      description:
        'The images that are new when the object is rewritten cannot be pulled, and the user takes that back',
      plans: 2,
    },
  ]);
});

test('what does not show again is not a finding', async () => {
  let isLoaded = false;
  const hangs: TortureSetup['oracles'] = [
    { name: 'hangs', check: () => (isLoaded ? ((isLoaded = false), ['the machine was busy']) : []) },
  ];
  const { findings, plans } = await torture(operatorOf(sound, { oracles: hangs }), {
    plans: [{ phase: 'crash', step: 0, write: 1 }],
    onProgress: () => (isLoaded = true),
  });
  expect(plans.tried).toBe(1);
  expect(isLoaded).toBe(false);
  expect(findings).toEqual([]);
});

test('an operator that looks at Events only when something is wrong finds those of the cluster', async () => {
  const explaining: Reconcile = async (page, client, apiReader) => {
    await client.apply(Deployment, deploymentOf(page), { force: true });
    const { items: pods } = await apiReader.list(Pod, { namespace: 'default' });
    const isStuck = pods.some(({ status }) =>
      status?.containerStatuses?.[0]?.state?.waiting?.reason?.includes('Image'),
    );
    const events = isStuck ? (await apiReader.list(Event, { namespace: 'default' })).items : [];
    const because = events.find(({ type }) => type === 'Warning')?.reason;
    if (because === undefined) return { requeueAfter: '10s' };
    const condition = { type: 'Ready', status: 'False', reason: because, message: '' } as const;
    const conditions = setCondition(page.status?.conditions, condition);
    await client.status.patch(Page, key, { status: { conditions } });
    return undefined;
  };
  const seen: string[] = [];
  const setup = operatorOf(explaining, {
    environment: { objects: [definition], workloads: {} },
    start: startOf(explaining, Deployment),
    changes: {},
    oracles: [
      {
        name: 'says why',
        check: () => [],
        checkWhileFailing: async ({ client }) => {
          const page = await client.get(Page, key);
          seen.push(page?.status?.conditions?.[0]?.reason ?? 'nothing');
          return [];
        },
      },
    ],
  });
  await torture(setup, { plans: [{ phase: 'workload', step: 0, failure: 'image pull' }] });
  expect(seen.at(-1)).toBe('Failed');
});

test('an operator may tell events again and again', async () => {
  const { start, ...setup } = operatorOf(sound);
  const { findings } = await torture(
    {
      ...setup,
      start: async (connection, context) => {
        const manager = await start(connection, context);
        const events = manager.eventRecorder('pages');
        const tell = objectReconciler(manager.client, Page, async (page) => {
          for (const note of ['one', 'two', 'three'])
            events.event(page, { type: 'Normal', reason: 'Read', action: 'Read', note });
        });
        new ControllerBuilder(manager).named('events').for(Page).complete(tell);
        return manager;
      },
    },
    { plans: [{ phase: 'undisturbed' }] },
  );
  expect(findings).toEqual([]);
});

/** Keeps the texts that it receives. */
const archive = (keepsFiles: boolean) => (): Images => ({
  'archive:*': ({ volume }) => {
    const texts = keepsFiles ? volume('data') : new Map<string, string>();
    return {
      http: async (request) => {
        texts.set(await request.text(), '');
        return new Response([...texts.keys()].join());
      },
    };
  },
});

const metadata = { namespace: 'default', name: 'archive', labels: { app: 'archive' } };
const archivePod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: {
    containers: [{ name: 'archive', image: 'archive:1' }],
    volumes: [{ name: 'data', emptyDir: {} }],
  },
};
const archiveService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { selector: metadata.labels, ports: [{ port: 80 }] },
};

/** How often the life of the undisturbed object begins. */
const references = 4;

test.each([
  ['go on from a snapshot with what applications have on volumes', true, references],
  ['begin with the creation if applications have data in memory', false, references + 1],
])('plans %s', async (_, keepsFiles, expected) => {
  let environment: TestEnvironment;
  const archives: Reconcile = async (page, client) => {
    const request = { method: 'POST', body: page.spec.text };
    const response = await environment.network.fetch('http://archive', request);
    const texts = await response.text();
    await client.apply(ConfigMap, file(page, 'home', { texts }), { force: true });
  };
  const write =
    (text: string) =>
    ({ client }: ChangeContext) =>
      client.patch(Page, key, { spec: { text } });
  let beginnings = 0;
  const { start, ...setup } = operatorOf(archives, {
    environment: {
      objects: [definition, archivePod, archiveService],
      workloads: { images: archive(keepsFiles) },
    },
    prepare: () => (beginnings += 1),
    changes: { 'is rewritten': write('bye'), 'is rewritten again': write('again') },
  });
  const { findings } = await torture(
    {
      ...setup,
      start: (connection, context) => {
        ({ environment } = context);
        return start(connection, context);
      },
    },
    { plans: [{ phase: 'crash', step: 2, write: 1 }] },
  );
  expect(findings).toEqual([]);
  expect(beginnings).toBe(expected);
});
