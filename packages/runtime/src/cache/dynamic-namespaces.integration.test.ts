import { ConfigMap, Namespace, ServiceAccount } from 'ots-kubernetes/core/v1';
import { ClusterRole, ClusterRoleBinding, type PolicyRule, RoleBinding } from 'ots-kubernetes/rbac/v1';
import { expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { Client } from '../client/client.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { Reconciler, Request } from '../controller/reconciler.ts';
import { isForbidden } from '../errors/api-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import type { ManagerOptions } from '../manager/manager-options.ts';
import { keyText } from '../objects/object-key.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { NamespaceList } from './namespace-list.ts';
import type { NamespaceSelection } from './namespace-selection.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(thingCrds);
const rbac = 'rbac.authorization.k8s.io';
const operateThings: PolicyRule[] = [
  { apiGroups: ['example.com'], resources: ['things'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
];
const watchNamespaces: PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'] },
];

let operators = 0;

/** An operator whose ServiceAccount may do nothing until it is granted something, and the namespaces of its test. */
class Operator {
  readonly label: string;
  readonly system: string;
  /** What was reconciled, as namespace/name. */
  readonly reconciled: string[] = [];
  /** What a handler of Things learned. */
  readonly events: string[] = [];
  /** Its log lines from level info on. */
  readonly logged: { level: string; msg: string; namespace?: string; err?: { hint?: string } }[] = [];
  manager!: Manager;

  static async create(): Promise<Operator> {
    operators += 1;
    const operator = new Operator(`operator-${operators}`);
    const { system } = operator;
    await server.client.create(Namespace, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: system },
    });
    const metadata = { name: 'operator', namespace: system };
    await server.client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    await operator.#createRole('things', operateThings);
    return operator;
  }

  private constructor(name: string) {
    this.system = name;
    this.label = `${name}=yes`;
  }

  /** Its manager, with a controller of Things. */
  async start(
    namespaces: NamespaceSelection,
    reconcile: Reconciler['reconcile'] = async () => {},
    options: Partial<ManagerOptions> = {},
  ): Promise<Manager> {
    const connection = await server.as({ serviceAccount: 'operator', namespace: this.system });
    const stream = { write: (line: string) => void this.logged.push(JSON.parse(line)) };
    const logger = createLogger({ level: 'info', format: 'json', stream });
    const manager = await Manager.create({ connection, logger, cache: { namespaces }, ...options });
    this.manager = manager;
    onTestFinished(() => manager.stop());
    const builder = new ControllerBuilder(manager).for(Thing).withOptions({ maxConcurrentReconciles: 2 });
    builder.complete(async (request, context) => {
      this.reconciled.push(keyText(request));
      return reconcile(request, context);
    });
    manager.cache.informer(Thing).addHandler({
      added: ({ metadata }) => this.events.push(`added ${keyText(metadata as Request)}`),
      updated: () => {},
      deleted: ({ metadata }) => this.events.push(`deleted ${keyText(metadata as Request)}`),
      uncached: ({ metadata }) => this.events.push(`uncached ${keyText(metadata as Request)}`),
    });
    manager.start().catch(() => {});
    return manager;
  }

  /** Creates a namespace, with a Thing and the rights of the operator unless told otherwise. */
  async namespace(suffix: string, { isLabeled = true, isGranted = true } = {}): Promise<string> {
    const name = `${this.system}-${suffix}`;
    const labels = isLabeled ? { [this.system]: 'yes' } : {};
    await server.client.create(Namespace, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    });
    await server.client.create(Thing, { ...thing('a'), metadata: { name: 'a', namespace: name } });
    if (isGranted) await this.grant(name);
    return name;
  }

  async setLabel(name: string, value: 'yes' | null): Promise<void> {
    await server.client.patch(Namespace, { name }, { metadata: { labels: { [this.system]: value } } });
  }

  /** Lets it operate Things in one namespace. */
  async grant(namespace: string): Promise<void> {
    await server.client.create(RoleBinding, {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'operator', namespace },
      ...this.#binding('things'),
    });
    await this.#untilGranted((user) => user.list(Thing, { namespace, limit: 1 }));
  }

  /** Lets it follow the labels of namespaces: the only right in the whole cluster. */
  async grantNamespaces(): Promise<void> {
    await this.#createRole('namespaces', watchNamespaces);
    await server.client.create(ClusterRoleBinding, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: `${this.system}-namespaces` },
      ...this.#binding('namespaces'),
    });
    await this.#untilGranted((user) => user.list(Namespace, { limit: 1 }));
  }

  errors(): string[] {
    return this.logged.filter(({ level }) => level === 'error' || level === 'warn').map(({ msg }) => msg);
  }

  /** The namespaces of the Things in the cache. */
  cached(): string[] {
    return this.manager.cache
      .list(Thing)
      .map(({ metadata }) => metadata.namespace!)
      .toSorted();
  }

  /** Whether the Thing of the namespace can be read. */
  has(namespace: string): boolean {
    try {
      return this.manager.cache.get(Thing, { name: 'a', namespace }) !== undefined;
    } catch {
      return false;
    }
  }

  /** A real server learns of roles a moment later. */
  async #untilGranted(read: (user: Client) => Promise<unknown>): Promise<void> {
    await using user = new Client(await server.as({ serviceAccount: 'operator', namespace: this.system }));
    const isGranted = (): Promise<boolean> =>
      read(user).then(
        () => true,
        (error: unknown) => {
          if (isForbidden(error)) return false;
          throw error;
        },
      );
    await waitFor(isGranted);
  }

  async #createRole(name: string, rules: PolicyRule[]): Promise<void> {
    const metadata = { name: `${this.system}-${name}` };
    await server.client.create(ClusterRole, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata,
      rules,
    });
  }

  #binding(role: string) {
    return {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: `${this.system}-${role}` },
      subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: this.system }],
    };
  }
}

test('namespaces with a label are cached while they have it, with no cluster-wide right but to watch namespaces', async () => {
  const operator = await Operator.create();
  await operator.grantNamespaces();
  const first = await operator.namespace('first');
  const later = await operator.namespace('later', { isLabeled: false });
  const manager = await operator.start({ labelSelector: operator.label });
  await manager.ready;
  await manager.idle();
  expect(operator.reconciled).toEqual([`${first}/a`]);
  expect(() => manager.cache.get(Thing, { name: 'a', namespace: later })).toThrow(
    `Thing is not cached in namespace ${later}, only in ${first}`,
  );
  await operator.setLabel(later, 'yes');
  const created = await operator.namespace('created');
  await waitFor(() => operator.has(later) && operator.has(created));
  await manager.idle();
  expect(operator.reconciled.toSorted()).toEqual(
    [created, first, later].map((each) => `${each}/a`).toSorted(),
  );
  await operator.setLabel(first, null);
  await waitFor(() => operator.events.includes(`uncached ${first}/a`));
  await manager.idle();
  expect(operator.cached()).toEqual([created, later].toSorted());
  expect(operator.events.filter((event) => event.startsWith('deleted'))).toEqual([]);
  await operator.setLabel(first, 'yes');
  await waitFor(() => operator.has(first));
  await manager.idle();
  expect(operator.reconciled.filter((each) => each === `${first}/a`)).toHaveLength(2);
});

test('a list that changes at run time needs no cluster-wide right at all', async () => {
  const operator = await Operator.create();
  const [one, two] = [await operator.namespace('one'), await operator.namespace('two')];
  const namespaces = new NamespaceList();
  const manager = await operator.start(namespaces);
  await manager.ready;
  await manager.idle();
  expect(manager.cache.list(Thing)).toEqual([]);
  expect(() => manager.cache.get(Thing, { name: 'a', namespace: one })).toThrow(
    'which has no namespaces now',
  );
  namespaces.add(one);
  expect(() => manager.cache.get(Thing, { name: 'a', namespace: one })).toThrow(
    expect.objectContaining({
      code: 'CACHE_NOT_SYNCED',
      hint: expect.stringContaining('selected at run time'),
    }),
  );
  expect(manager.cache.list(Thing)).toEqual([]);
  await manager.idle();
  expect(operator.reconciled).toEqual([`${one}/a`]);
  namespaces.set([two]);
  expect(manager.cache.list(Thing)).toEqual([]);
  expect(() => manager.cache.get(Thing, { name: 'a', namespace: one })).toThrow(
    expect.objectContaining({ code: 'NAMESPACE_NOT_CACHED', namespace: one }),
  );
  await manager.idle();
  expect(operator.reconciled).toEqual([`${one}/a`, `${two}/a`]);
  expect(operator.events).toEqual([`added ${one}/a`, `uncached ${one}/a`, `added ${two}/a`]);
  expect(operator.errors()).toEqual([]);
});

test('a namespace that the operator may not read stops neither the start nor the others, and works once it may', async () => {
  const operator = await Operator.create();
  await operator.grantNamespaces();
  const open = await operator.namespace('open');
  const closed = await operator.namespace('closed', { isGranted: false });
  const manager = await operator.start({ labelSelector: operator.label });
  await manager.ready;
  await manager.idle();
  expect(operator.reconciled).toEqual([`${open}/a`]);
  expect(manager.cache.problems()).toEqual([
    expect.stringMatching(
      `^Thing.example.com/v1 in ${closed} is not cached yet \\(Forbidden for \\d+ s: .*cannot list`,
    ),
  ]);
  expect(manager.cache.commonProblems()).toEqual([]);
  expect(operator.cached()).toEqual([open]);
  expect(() => manager.cache.list(Thing, { namespace: closed })).toThrow(
    expect.objectContaining({ code: 'CACHE_NOT_SYNCED', message: expect.stringContaining('cannot list') }),
  );
  const ofClosed = operator.logged.filter(
    ({ level, namespace }) => level === 'error' && namespace === closed,
  );
  expect(ofClosed).toMatchObject([
    {
      msg: `Thing (example.com/v1) cannot be watched in namespace ${closed}; a RoleBinding there may be missing`,
      err: { hint: expect.stringContaining('resources=things') },
    },
  ]);
  await operator.grant(closed);
  await manager.idle({ timeout: '20s' });
  expect(operator.reconciled).toEqual([`${open}/a`, `${closed}/a`]);
  expect(manager.cache.problems()).toEqual([]);
});

test('requests of a namespace that has left end without an error, and a running reconcile finishes', async () => {
  const operator = await Operator.create();
  const [one, two] = [await operator.namespace('one'), await operator.namespace('two')];
  const namespaces = new NamespaceList([one, two]);
  let finished: unknown;
  let leave!: () => void;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const manager = await operator.start(namespaces, async ({ namespace }, { signal }) => {
    if (namespace === two) return { requeueAfter: 20 };
    await left;
    finished = signal.aborted ? 'aborted' : 'finished';
    await manager.client.get(Thing, { name: 'a', namespace: one });
    return undefined;
  });
  await waitFor(() => operator.reconciled.includes(`${one}/a`) && operator.reconciled.length > 3);
  namespaces.set([]);
  leave();
  await manager.idle();
  expect(finished).toBe('finished');
  const runs = operator.reconciled.length;
  namespaces.add(one);
  await waitFor(() => operator.reconciled.length > runs);
  await manager.idle();
  expect(operator.reconciled.slice(runs)).toEqual([`${one}/a`]);
  expect(operator.errors()).toEqual([]);
});

test('a namespace that is deleted leaves without errors in the log', async () => {
  const operator = await Operator.create();
  await operator.grantNamespaces();
  const [one, two] = [await operator.namespace('one'), await operator.namespace('two')];
  const manager = await operator.start({ labelSelector: operator.label });
  await manager.ready;
  await manager.idle();
  await server.client.delete(Namespace, { name: one });
  const isGone = async (): Promise<boolean> => !(await server.client.get(Namespace, { name: one }));
  await waitFor(isGone, { timeout: '20s' });
  await waitFor(() => operator.events.length === 3);
  await manager.idle();
  // The two watches race.
  expect([`deleted ${one}/a`, `uncached ${one}/a`]).toContain(operator.events.at(-1));
  expect(() => manager.cache.list(Thing, { namespace: one })).toThrow(
    `Thing is not cached in namespace ${one}, only in ${two}`,
  );
  expect(operator.errors()).toEqual([]);
});

test('what depends on objects of a namespace that leaves, and is elsewhere, is reconciled', async () => {
  const operator = await Operator.create();
  const [one, two] = [await operator.namespace('one'), await operator.namespace('two')];
  const namespaces = new NamespaceList([one]);
  const manager = await operator.start(namespaces);
  const totals: number[] = [];
  const builder = new ControllerBuilder(manager).named('total').watches(Thing, () => [{ name: 'total' }]);
  builder.complete(async () => void totals.push(manager.cache.list(Thing).length));
  await manager.ready;
  await manager.idle();
  for (const each of [[one, two], [two], []]) {
    namespaces.set(each);
    await manager.idle();
    expect(totals.at(-1)).toBe(each.length);
  }
});

test('own writes are visible at once in a cached namespace, and writes elsewhere only reach the server', async () => {
  const operator = await Operator.create();
  const [one, two] = [await operator.namespace('one'), await operator.namespace('two')];
  const namespaces = new NamespaceList([one]);
  const manager = await operator.start(namespaces);
  await manager.ready;
  const { client } = manager;
  const b = (namespace: string): Thing => ({ ...thing('b'), metadata: { name: 'b', namespace } });
  await client.create(Thing, b(one));
  expect(await client.get(Thing, { name: 'b', namespace: one })).toBeDefined();
  await client.create(Thing, b(two));
  await expect(client.get(Thing, { name: 'b', namespace: two })).rejects.toMatchObject({
    code: 'NAMESPACE_NOT_CACHED',
  });
  namespaces.set([two]);
  await client.patch(Thing, { name: 'b', namespace: two }, { spec: { size: 2 } });
  await manager.idle();
  expect(await client.get(Thing, { name: 'b', namespace: two })).toMatchObject({ spec: { size: 2 } });
  await expect(client.get(Thing, { name: 'b', namespace: one })).rejects.toMatchObject({
    code: 'NAMESPACE_NOT_CACHED',
  });
});

test('a kind can have namespaces of its own, and a cluster-scoped kind has all', async () => {
  const operator = await Operator.create();
  await operator.grantNamespaces();
  const [one, two] = [await operator.namespace('one'), await operator.namespace('two')];
  const manager = await operator.start([one]);
  const configMaps = new NamespaceList([two]);
  manager.cache.add(ConfigMap, { namespaces: configMaps });
  manager.cache.add(Namespace, { labelSelector: operator.label });
  await manager.ready;
  const names = (): string[] => manager.cache.list(Namespace).map(({ metadata }) => metadata.name!);
  expect(names().toSorted()).toEqual([one, two].toSorted());
  expect(() => manager.cache.list(ConfigMap, { namespace: one })).toThrow(`only in ${two}`);
  configMaps.delete(two);
  expect(() => manager.cache.list(ConfigMap, { namespace: two })).toThrow('which has no namespaces now');
  expect(names().toSorted()).toEqual([one, two].toSorted());
  expect(manager.cache.list(Thing)).toHaveLength(1);
});

test('a standby follows the namespaces too, and reconciles in all of them when it leads', async () => {
  const operator = await Operator.create();
  await operator.grantNamespaces();
  const one = await operator.namespace('one');
  const leaderElection = { id: 'operator', namespace: operator.system };
  await server.client.create(RoleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'admin', namespace: operator.system },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: operator.system }],
  });
  const leader = await operator.start({ labelSelector: operator.label }, undefined, { leaderElection });
  await leader.elected;
  const standby = await operator.start({ labelSelector: operator.label }, undefined, { leaderElection });
  await standby.ready;
  const two = await operator.namespace('two');
  await waitFor(() => operator.has(two));
  operator.reconciled.length = 0;
  await leader.stop();
  await standby.elected;
  await standby.idle();
  expect(operator.reconciled.toSorted()).toEqual([`${one}/a`, `${two}/a`].toSorted());
});
