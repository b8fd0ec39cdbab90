import { Deployment, StatefulSet } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { App, ownerCrds } from '../../test/owners.ts';
import type { Client } from '../client/client.ts';
import { setCondition } from '../conditions/set-condition.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { objectReconciler } from '../controller/object-reconciler.ts';
import type { Manager } from '../manager/manager.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { readyCondition } from '../workflow/workflow-result.ts';
import { ChildSet } from './child-set.ts';
import type { ChildrenResult } from './children-result.ts';
import { desiredChild } from './desired-child.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(ownerCrds);
let client: Client;
let namespace: string;

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
});

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });

function app(...parts: string[]): App {
  return { apiVersion: 'example.com/v1', kind: 'App', metadata: key('app'), spec: { parts } };
}

const configMap = (name: string, data: Record<string, string> = {}) =>
  desiredChild(ConfigMap, { metadata: { name, labels: { part: name } }, data });

type Desire = (
  app: DeepReadonly<App>,
) => Parameters<ChildSet<App, [ConfigMap, Secret, Deployment]>['apply']>[1];

/** An operator with a plain reconciler that reports the summary as a condition. */
async function startOperator(
  desire: Desire,
  { name, stop }: { name?: string; stop?: boolean } = {},
): Promise<{ manager: Manager; results: ChildrenResult[] }> {
  const manager = await server.createManager(namespace);
  const children = new ChildSet(manager, {
    name,
    owner: App,
    kinds: [ConfigMap, Secret, { kind: Deployment, onImmutable: 'Recreate' }],
  });
  const results: ChildrenResult[] = [];
  const builder = new ControllerBuilder(manager).for(App).named(name ?? 'app');
  for (const kind of children.kinds) builder.owns(kind);
  const report = async (parent: DeepReadonly<App>, result: ChildrenResult): Promise<void> => {
    results.push(result);
    const { generation } = parent.metadata;
    const conditions = setCondition(parent.status?.conditions, readyCondition(result, generation));
    await client.status.patch(App, key('app'), { status: { conditions } });
  };
  builder.complete(
    objectReconciler(manager.client, App, async (parent) => {
      await children.apply(parent, desire(parent), (result) => report(parent, result));
    }),
  );
  void manager.start();
  await manager.ready;
  if (stop) await manager.idle();
  return { manager, results };
}

const fromParts: Desire = ({ spec }) => (spec.parts ?? []).map((part) => configMap(part));

async function names(): Promise<string> {
  const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'part' });
  return items.map(({ metadata }) => metadata.name).join();
}

const become = (wanted: string): Promise<unknown> => waitFor(async () => (await names()) === wanted);

async function condition(): Promise<string> {
  const found = await client.get(App, key('app'));
  const ready = found?.status?.conditions?.find(({ type }) => type === 'Ready');
  return `${ready?.status} ${ready?.reason} ${ready?.message}`.trim();
}

describe('a child set', () => {
  test('creates, repairs and prunes the children, and one condition sums them up', async () => {
    await client.create(App, app('a', 'b'));
    await startOperator(fromParts);
    await become('a,b');
    await waitFor(async () => (await condition()) === 'True Ready');
    await client.delete(ConfigMap, key('a'));
    await become('a,b');
    await client.patch(App, key('app'), { spec: { parts: ['b', 'c'] } });
    await become('b,c');
    await waitFor(async () => (await condition()) === 'True Ready');
    expect(await client.get(ConfigMap, key('a'))).toBeUndefined();
  });

  test('deletes what an earlier version of the operator has made, and nothing of others', async () => {
    await client.create(App, app('old'));
    const { manager } = await startOperator(fromParts);
    const { manager: other } = await startOperator(() => [configMap('others')], { name: 'other' });
    await become('old,others');
    await other.idle();
    await manager.stop();
    await client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...key('foreign'), labels: { part: 'foreign' } },
    });
    await startOperator(() => [desiredChild(Secret, { metadata: { name: 'new' } })]);
    await become('foreign,others');
    expect(await client.get(Secret, key('new'))).toBeDefined();
  });

  test('reports children that are not ready and why, and those that fail, before it throws', async () => {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };
    const deployment = desiredChild(Deployment, {
      metadata: { name: 'web' },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    });
    const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('taken') } as const;
    await client.create(ConfigMap, foreign);
    await client.create(App, app());
    const { results } = await startOperator(() => [deployment, configMap('a'), configMap('taken')]);
    await become('a');
    await waitFor(async () => (await condition()).startsWith('False Failed Deployment web is NotReady'));
    expect(await condition()).toMatch(/, ConfigMap taken is Failed$/);
    const { children, isReady, observed } = results.at(-1)!;
    expect(isReady).toBe(false);
    expect(observed.get(ConfigMap, 'a')).toBeDefined();
    expect(children.map(({ kind, name, state }) => `${kind.kind} ${name} ${state}`)).toEqual([
      'Deployment web NotReady',
      'ConfigMap a Ready',
      'ConfigMap taken Failed',
    ]);
    expect(children[2]!.error).toMatchObject({ code: 'ALREADY_OWNED' });
  });

  test('refuses a kind that is not declared', async () => {
    const manager = await server.createManager(namespace);
    const children = new ChildSet(manager, { owner: App, kinds: [ConfigMap] });
    manager.cache.add(ConfigMap);
    void manager.start();
    await manager.ready;
    const secret = desiredChild(Secret, { metadata: { name: 'a' } }) as never;
    await expect(children.apply(await client.create(App, app()), [secret])).rejects.toThrow(
      'Secret of v1 is not among the children of app',
    );
  });
});

describe('an immutable field', () => {
  const selector = (value: string) => ({ app: value });
  const deploymentOf = ({ spec }: DeepReadonly<App>) => {
    const labels = selector(spec.text ?? 'first');
    const image = spec.parts?.[0] ?? 'web';
    return desiredChild(Deployment, {
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
      },
    });
  };
  const current = () => client.getOrThrow(Deployment, key('web'));

  /**
   * Ends the deletion in the foreground, as the garbage collector does, which a real server without its controllers lacks.
   */
  async function collect(uid: string | undefined): Promise<void> {
    await waitFor(async () => {
      const found = await client.get(Deployment, key('web'));
      if (found?.metadata.uid !== uid) return true;
      if (found?.metadata.deletionTimestamp)
        await client.patch(Deployment, found, { metadata: { finalizers: null } } as never).catch(() => {});
      return false;
    });
  }

  test('that changes recreates the child, and an event says so', async () => {
    await client.create(App, app());
    await startOperator((parent) => [deploymentOf(parent)]);
    const { metadata } = await waitFor(() => client.get(Deployment, key('web')));
    await client.patch(App, key('app'), { spec: { text: 'second' } });
    await collect(metadata.uid);
    await waitFor(async () => (await client.get(Deployment, key('web')))?.metadata.uid !== undefined);
    const { spec } = await current();
    expect(spec?.selector).toEqual({ matchLabels: { app: 'second' } });
    const raw = { path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events` } as const;
    await waitFor(async () => {
      const { items } = (await client.raw(raw)) as { items: { reason: string; note: string }[] };
      return items.some(
        ({ reason, note }) => reason === 'ReplacingChild' && note.includes('field is immutable'),
      );
    });
  });

  test('does not recreate a child whose replacement the server would refuse', async () => {
    await client.create(App, app());
    const { results } = await startOperator((parent) => {
      const desired = deploymentOf(parent);
      const isBad = parent.spec.text === 'bad';
      return [isBad ? { ...desired, spec: { ...desired.spec, replicas: -1 } } : desired];
    });
    const { metadata } = await waitFor(() => client.get(Deployment, key('web')));
    await client.patch(App, key('app'), { spec: { text: 'bad' } });
    await waitFor(() => results.at(-1)?.children[0]?.state === 'Failed');
    expect(String(results.at(-1)!.children[0]!.error)).toContain('spec.replicas');
    expect((await current()).metadata).toMatchObject({ uid: metadata.uid });
    expect((await current()).metadata.deletionTimestamp).toBeUndefined();
    // The author takes it back.
    await client.patch(App, key('app'), { spec: { text: 'first' } });
    await waitFor(() => results.at(-1)?.children[0]?.state !== 'Failed');
    expect((await current()).metadata.uid).toBe(metadata.uid);
  });

  test('does not recreate a child by default', async () => {
    await client.create(App, app());
    const manager = await server.createManager(namespace);
    const children = new ChildSet(manager, { owner: App, kinds: [Deployment] });
    manager.cache.add(Deployment);
    void manager.start();
    await manager.ready;
    const parent = await client.getOrThrow(App, key('app'));
    await children.apply(parent, [deploymentOf(parent)]);
    const changed = { ...parent, spec: { text: 'second' } };
    await expect(children.apply(parent, [deploymentOf(changed)])).rejects.toThrow('field is immutable');
    expect((await current()).metadata.deletionTimestamp).toBeUndefined();
  });

  test('Orphan keeps what the child owns', async () => {
    await client.create(App, app());
    const manager = await server.createManager(namespace);
    const children = new ChildSet(manager, {
      owner: App,
      kinds: [{ kind: StatefulSet, onImmutable: 'Orphan' }],
    });
    manager.cache.add(StatefulSet);
    void manager.start();
    await manager.ready;
    const parent = await client.getOrThrow(App, key('app'));
    const labels = { app: 'db' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db' }] } };
    const set = (serviceName: string) =>
      desiredChild(StatefulSet, {
        metadata: { name: 'db' },
        spec: { serviceName, replicas: 0, selector: { matchLabels: labels }, template },
      });
    await children.apply(parent, [set('first')]);
    const { children: states } = await children.apply(parent, [set('second')]);
    expect(states[0]).toMatchObject({
      state: 'NotReady',
      reason: 'an old object with its name is being deleted',
    });
    const deleted = await client.get(StatefulSet, key('db'));
    // The garbage collector may have been faster.
    if (deleted) expect(deleted.metadata.finalizers).toEqual(['orphan']);
  });
});
