import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ConfigMap, Namespace, Secret } from 'ots-kubernetes/core/v1';
import { ClusterRole, ClusterRoleBinding, type PolicyRule, RoleBinding } from 'ots-kubernetes/rbac/v1';
import {
  Client,
  ControllerBuilder,
  type DeepReadonly,
  Manager,
  NamespaceList,
  createLogger,
  isNotFound,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';

const operator = { user: 'operator' };
const rbac = 'rbac.authorization.k8s.io';
const namespaces = ['red', 'green', 'blue'];
const names = ['a', 'b'];
const selected = { team: 'yes' };

type Action =
  | { type: 'label' | 'unlabel' | 'recreate' | 'list' | 'unlist' | 'grant' | 'revoke'; namespace: string }
  | { type: 'put' | 'delete'; namespace: string; name: string }
  | { type: 'watch'; resource: string; effect: 'drop' | 'half-open' | 'expire' }
  | { type: 'restart' | 'compact' | 'restore' | 'pass' };

const namespace = fc.constantFrom(...namespaces);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('label', 'unlabel', 'recreate', 'list', 'unlist', 'grant', 'revoke'),
      namespace,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('put', 'delete'),
      namespace,
      name: fc.constantFrom(...names),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('watch'),
      resource: fc.constantFrom('namespaces', 'configmaps'),
      effect: fc.constantFrom('drop', 'half-open', 'expire'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('restart', 'compact', 'restore', 'pass') }) },
);

/** An operator of ConfigMaps in namespaces with a label, and of Secrets in those of a list. */
class Following implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly manager: Manager;
  readonly list: NamespaceList;
  /** The last version of each ConfigMap that was reconciled. */
  readonly reconciled = new Map<string, string | undefined>();
  /** What a handler knows of the ConfigMaps. */
  readonly handled = new Map<string, string | undefined>();
  readonly errors: string[];
  #snapshot!: ReturnType<TestEnvironment['snapshot']>;
  #version = 0;

  static async start(seed: number): Promise<Following> {
    const environment = await TestEnvironment.start({ env: {}, clock: 'virtual', seed });
    const client = new Client(environment.config, { fieldOwner: 'test' });
    await createRole(client, 'contents', ['configmaps', 'secrets']);
    await createRole(client, 'namespaces', ['namespaces']);
    await client.create(ClusterRoleBinding, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'namespaces' },
      ...bindingTo('namespaces'),
    });
    const errors: string[] = [];
    const stream = { write: (line: string) => void errors.push(line) };
    const logger = createLogger({ level: 'error', format: 'json', stream });
    const list = new NamespaceList();
    const connection = await environment.as(operator);
    const cache = { namespaces: { labelSelector: { matchLabels: selected } } };
    const manager = await Manager.create({ connection, logger, cache });
    manager.cache.add(Secret, { namespaces: list });
    const following = new Following({ environment, client, manager, list, errors });
    for (const name of namespaces) await following.#create(name);
    following.#snapshot = environment.snapshot();
    manager.start().catch(() => {});
    await manager.ready;
    return following;
  }

  private constructor({
    environment,
    client,
    manager,
    list,
    errors,
  }: Pick<Following, 'environment' | 'client' | 'manager' | 'list' | 'errors'>) {
    this.environment = environment;
    this.client = client;
    this.manager = manager;
    this.list = list;
    this.errors = errors;
    new ControllerBuilder(manager).for(ConfigMap).complete({
      reconcile: async ({ name, namespace: where }) => {
        const found = await manager.client.get(ConfigMap, { name, namespace: where });
        this.reconciled.set(`${where}/${name}`, found?.data?.['n']);
      },
    });
    const put = (object: DeepReadonly<ConfigMap>): void =>
      void this.handled.set(keyOf(object), object.data?.['n']);
    const remove = (object: DeepReadonly<ConfigMap>): void => {
      assert.ok(this.handled.delete(keyOf(object)), 'it has left before it came');
    };
    manager.cache.informer(ConfigMap).addHandler({
      added: (object) => {
        assert.ok(!this.handled.has(keyOf(object)), 'it came twice');
        put(object);
      },
      updated: (_, object) => put(object),
      deleted: remove,
      uncached: remove,
    });
  }

  async perform(step: Action): Promise<void> {
    switch (step.type) {
      case 'label':
        return this.#setLabel(step.namespace, 'yes');
      case 'unlabel':
        return this.#setLabel(step.namespace, null);
      case 'recreate':
        return this.#recreate(step.namespace);
      case 'list':
        return this.list.add(step.namespace);
      case 'unlist':
        return this.list.delete(step.namespace);
      case 'grant':
        return this.#grant(step.namespace);
      case 'revoke':
        return this.client
          .delete(RoleBinding, { name: 'contents', namespace: step.namespace })
          .catch(ignoreNotFound);
      case 'put':
        return this.#put(step);
      case 'delete':
        await this.client.delete(ConfigMap, step).catch(ignoreNotFound);
        return this.client.delete(Secret, step).catch(ignoreNotFound);
      case 'watch': {
        const { resource, effect } = step;
        this.environment.faults.add(
          { verbs: ['watch'], resource, user: operator, times: 1 },
          { watch: effect },
        );
        return undefined;
      }
      case 'restart':
        return this.environment.restart();
      case 'compact':
        return this.environment.faults.compact();
      case 'restore':
        return this.environment.restore(this.#snapshot);
      case 'pass':
        this.#snapshot = this.environment.snapshot();
        return this.environment.advance('3s');
    }
  }

  /** Grants everything and lets the time pass that the cache needs for any fault. */
  async quiesce(): Promise<void> {
    for (const name of namespaces) await this.#grant(name);
    this.environment.faults.clear();
    await this.environment.advance('20m');
  }

  /** The ConfigMaps and Secrets in the selected namespaces, on the server and in the cache. */
  async contents(): Promise<{ server: string[]; cached: string[]; handled: string[]; missed: string[] }> {
    const { items: labeled } = await this.client.list(Namespace, { labelSelector: 'team=yes' });
    const configMaps: DeepReadonly<ConfigMap>[] = [];
    const secrets: DeepReadonly<Secret>[] = [];
    for (const { metadata } of labeled)
      configMaps.push(...(await this.client.list(ConfigMap, { namespace: metadata.name! })).items);
    for (const name of this.list.names)
      secrets.push(...(await this.client.list(Secret, { namespace: name })).items);
    const { cache } = this.manager;
    return {
      server: [...configMaps.map(textOf), ...secrets.map(keyOf)].toSorted(),
      cached: [...cache.list(ConfigMap).map(textOf), ...cache.list(Secret).map(keyOf)].toSorted(),
      handled: [...[...this.handled].map(([key, n]) => `${key} ${n}`), ...secrets.map(keyOf)].toSorted(),
      missed: configMaps.filter((each) => this.reconciled.get(keyOf(each)) !== each.data?.['n']).map(textOf),
    };
  }

  async #setLabel(name: string, team: 'yes' | null): Promise<void> {
    await this.client.patch(Namespace, { name }, { metadata: { labels: { team } } });
  }

  async #recreate(name: string): Promise<void> {
    const { metadata } = await this.client.getOrThrow(Namespace, { name });
    await this.client.delete(Namespace, { name });
    await this.environment.advance('1s');
    await this.#create(name, { ...metadata.labels });
  }

  async #create(name: string, labels: Record<string, string> = {}): Promise<void> {
    await this.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  }

  async #grant(name: string): Promise<void> {
    const metadata = { name: 'contents', namespace: name };
    const binding = { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata } as const;
    await this.client.apply(RoleBinding, { ...binding, ...bindingTo('contents') });
  }

  async #put(metadata: { name: string; namespace: string }): Promise<void> {
    this.#version += 1;
    const { name, namespace: where } = metadata;
    const at = { name, namespace: where };
    const data = { n: String(this.#version) };
    await this.client.apply(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: at, data });
    await this.client.apply(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: at });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.manager.stop();
    await this.environment.advance('1m');
    await stopped;
    await this.client.close();
    await this.environment.stop();
  }
}

async function createRole(client: Client, name: string, resources: string[]): Promise<void> {
  const rules: PolicyRule[] = [{ apiGroups: [''], resources, verbs: ['list', 'watch'] }];
  await client.create(ClusterRole, {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name },
    rules,
  });
}

function bindingTo(role: string) {
  return {
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: rbac, kind: 'User', name: operator.user }],
  };
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

function keyOf({ metadata }: DeepReadonly<{ metadata: { namespace?: string; name?: string } }>): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function textOf(configMap: DeepReadonly<ConfigMap>): string {
  return `${keyOf(configMap)} ${configMap.data?.['n']}`;
}

test('whatever happens to namespaces, objects, rights and the server, the cache has the selected namespaces in the end', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
      runs += 1;
      await using following = await Following.start(runs);
      for (const step of actions) await following.perform(step);
      await following.quiesce();
      const { server, cached, handled, missed } = await following.contents();
      expect(cached).toEqual(server);
      expect(handled).toEqual(server);
      expect(missed).toEqual([]);
      expect(following.errors.filter((line) => !line.includes('cannot be watched'))).toEqual([]);
    }),
    { numRuns: 30 },
  );
}, 120_000);

test('the rights that go with a namespace are not reported as missing, and those that were never there are', async () => {
  await using following = await Following.start(1);
  const { client, environment, manager, errors } = following;
  const metadata = { name: 'kept', namespace: 'red', finalizers: ['example.com/keep'] };
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await following.perform({ type: 'grant', namespace: 'red' });
  for (const name of ['red', 'green']) await following.perform({ type: 'label', namespace: name });
  await environment.advance('5s');
  expect(errors.map((line) => JSON.parse(line) as object)).toMatchObject([
    { namespace: 'green', msg: expect.stringContaining('cannot be watched') },
  ]);
  await client.delete(Namespace, { name: 'red' });
  await environment.advance('5s');
  expect(await client.get(RoleBinding, { name: 'contents', namespace: 'red' })).toBeUndefined();
  await environment.restart();
  await environment.advance('3m');
  expect(manager.cache.problems().join()).toContain('ConfigMap.v1 in red is out of date (Forbidden');
  expect(errors).toHaveLength(1);
  await client.patch(ConfigMap, { name: 'kept', namespace: 'red' }, { metadata: { finalizers: null } });
  await environment.advance('1m');
  expect(await client.get(Namespace, { name: 'red' })).toBeUndefined();
  expect(manager.cache.problems().join()).not.toContain(' in red ');
});
