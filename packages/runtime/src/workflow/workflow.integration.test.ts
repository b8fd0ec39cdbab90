import { type KubernetesObject, defineKind } from 'ots-kubernetes';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { App, ownerCrds } from '../../test/owners.ts';
import type { ApplyConfiguration } from '../client/content.ts';
import type { Client } from '../client/client.ts';
import { conditionTrue } from '../conditions/condition-true.ts';
import { setCondition } from '../conditions/set-condition.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { ReconcileContext, Reconciler } from '../controller/reconciler.ts';
import type { Manager } from '../manager/manager.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { dropFinalizer, ensureFinalizer } from '../finalizers/patch-finalizer.ts';
import { waitFor } from '../waiting/wait-for.ts';
import type { Dependents } from './dependent.ts';
import { Plan } from './plan.ts';
import type { PlanStatus } from './plan-status.ts';
import { step } from './step.ts';
import { Workflow } from './workflow.ts';
import { type WorkflowResult, readyCondition } from './workflow-result.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(ownerCrds);
let client: Client;
let namespace: string;
const finalizer = 'example.com/workflow';

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
});

const Widget = defineKind({
  apiVersion: 'widgets.example.com/v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});
const widgets: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.widgets.example.com' },
  spec: {
    group: Widget.group,
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });

async function createApp(...parts: string[]): Promise<App> {
  return client.create(App, {
    apiVersion: 'example.com/v1',
    kind: 'App',
    metadata: key('app'),
    spec: { parts },
  });
}

const changeApp = (spec: App['spec']): Promise<App> => client.patch(App, key('app'), { spec });

function configMap(name: string, data: Record<string, string> = {}): ApplyConfiguration<ConfigMap> {
  return { metadata: { name }, data };
}

function deployment(name: string): ApplyConfiguration<Deployment> {
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'main' }];
  return {
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** Does what the deployment controller does when the pods are up. */
async function makeAvailable(name: string, status: 'True' | 'False' = 'True'): Promise<void> {
  const { metadata } = (await client.get(Deployment, key(name)))!;
  await client.status.patch(Deployment, key(name), {
    status: { observedGeneration: metadata.generation!, conditions: [{ type: 'Available', status }] },
  });
}

/** An operator that runs, and its last result. */
class Watched {
  readonly manager: Manager;
  result: WorkflowResult | undefined;

  constructor(manager: Manager) {
    this.manager = manager;
  }

  get states(): string {
    return Object.entries(this.result?.dependents ?? {})
      .map(([name, { state }]) => `${name}=${state}`)
      .join(' ');
  }

  become(states: string): Promise<true> {
    return waitFor(() => this.states === states, {
      message: () => `${states}, not ${this.states},`,
    });
  }
}

/** An operator that runs a workflow for every App. */
async function run<Kinds extends Record<string, KubernetesObject>>(
  dependents: Dependents<App, Kinds>,
): Promise<Watched> {
  const running = await server.createManager(namespace);
  const workflow = new Workflow(running, { primary: App, dependents });
  const watched = new Watched(running);
  const builder = new ControllerBuilder(running).for(App);
  for (const kind of workflow.kinds) builder.owns(kind);
  const reconciler: Reconciler['reconcile'] = async (request, context) => {
    const app = await running.client.get(App, request);
    if (!app) return;
    const report = async (result: WorkflowResult): Promise<void> => {
      watched.result = result;
      const condition = readyCondition(result, app.metadata.generation);
      const conditions = setCondition(app.status?.conditions, condition);
      await running.client.status.apply(
        App,
        { metadata: key(request.name), status: { conditions } },
        { fieldOwner: 'app' },
      );
    };
    if (!app.metadata.deletionTimestamp) {
      const held = await ensureFinalizer(running.client, App, app, finalizer);
      await workflow.reconcile(held, context, report);
      return;
    }
    const { isGone } = await workflow.cleanup(app, context, report);
    if (isGone) await dropFinalizer(running.client, App, app, finalizer);
  };
  builder.complete(reconciler);
  void running.start();
  await running.ready;
  return watched;
}

async function names(): Promise<string> {
  const maps = await client.list(ConfigMap, { namespace, labelSelector: 'runtime.ots/dependent' });
  const deployments = await client.list(Deployment, { namespace });
  return [...maps.items, ...deployments.items]
    .map(({ metadata }) => metadata.name!)
    .toSorted()
    .join();
}

const has = (part: string) => (app: DeepReadonly<App>) => app.spec.parts?.includes(part) ?? false;

describe('a workflow', () => {
  test('creates dependents as those that they depend on become ready', async () => {
    await createApp();
    const flow = await run({
      config: { kind: ConfigMap, desired: () => configMap('config', { port: '80' }) },
      database: { kind: Deployment, desired: () => deployment('db'), readyWhen: conditionTrue('Available') },
      app: {
        kind: ConfigMap,
        dependsOn: ['config', 'database'],
        desired: (_, observed) =>
          configMap('app', { from: observed.get(ConfigMap, 'config')?.data?.['port'] ?? 'nothing' }),
      },
    });
    await flow.become('config=Ready database=NotReady app=Waiting');
    expect(await names()).toBe('config,db');
    const condition = async (): Promise<unknown> =>
      (await client.get(App, key('app')))?.status?.conditions?.[0];
    expect(await condition()).toMatchObject({
      type: 'Ready',
      status: 'False',
      reason: 'InProgress',
      message: 'database is NotReady, app is Waiting',
      observedGeneration: 1,
    });
    await makeAvailable('db');
    await flow.become('config=Ready database=Ready app=Ready');
    expect((await client.get(ConfigMap, key('app')))!).toMatchObject({
      data: { from: '80' },
      metadata: {
        labels: { 'runtime.ots/controller': 'app', 'runtime.ots/dependent': 'app' },
        ownerReferences: [{ kind: 'App', name: 'app', controller: true }],
      },
    });
    await waitFor(async () => ((await condition()) as { status: string }).status === 'True');
    await makeAvailable('db', 'False');
    await flow.become('config=Ready database=NotReady app=Waiting');
    expect(await names()).toBe('app,config,db');
  });

  test('repairs drift and recreates deleted objects', async () => {
    await createApp();
    const flow = await run({ config: { kind: ConfigMap, desired: () => configMap('config', { a: '1' }) } });
    await flow.become('config=Ready');
    await client.patch(ConfigMap, key('config'), { data: { a: 'by hand' } });
    const repaired = await waitFor(async () => {
      const map = await client.get(ConfigMap, key('config'));
      return map?.data?.['a'] === '1' && map;
    });
    await client.delete(ConfigMap, key('config'));
    const anew = await waitFor(() => client.get(ConfigMap, key('config')));
    expect(anew.metadata.uid).not.toBe(repaired.metadata.uid);
  });

  test('keeps as many objects of one dependent as are wanted', async () => {
    await createApp('a', 'b');
    const flow = await run({
      maps: {
        kind: ConfigMap,
        desired: (app) => app.spec.parts?.map((part) => configMap(part)),
        readyWhen: (map) => map.metadata.labels?.['ready'] === 'true',
      },
      last: { kind: ConfigMap, dependsOn: ['maps'], desired: () => configMap('last') },
    });
    await flow.become('maps=NotReady last=Waiting');
    expect(await names()).toBe('a,b');
    await client.patch(ConfigMap, key('a'), { metadata: { labels: { ready: 'true' } } });
    await client.patch(ConfigMap, key('b'), { metadata: { labels: { ready: 'true' } } });
    await flow.become('maps=Ready last=Ready');
    await changeApp({ parts: ['b'] });
    await waitFor(async () => (await names()) === 'b,last');
    await changeApp({ parts: [] });
    await waitFor(async () => (await names()) === 'last');
  });

  test('deletes unwanted dependents and everything that depends on them, last first', async () => {
    await createApp('database');
    const hold = 'example.com/hold';
    const flow = await run({
      database: { kind: ConfigMap, when: has('database'), desired: () => configMap('db') },
      app: {
        kind: ConfigMap,
        dependsOn: ['database'],
        desired: () => ({ ...configMap('app'), metadata: { name: 'app', finalizers: [hold] } }),
      },
      other: { kind: ConfigMap, desired: () => configMap('other') },
    });
    await flow.become('database=Ready app=Ready other=Ready');
    await changeApp({ parts: [] });
    await flow.become('database=Waiting app=Deleting other=Ready');
    await waitFor(
      async () => (await client.get(ConfigMap, key('app')))!.metadata.deletionTimestamp !== undefined,
    );
    expect(await names()).toBe('app,db,other');
    await dropFinalizer(client, ConfigMap, (await client.get(ConfigMap, key('app')))!, hold);
    await flow.become('database=Skipped app=Skipped other=Ready');
    expect(await names()).toBe('other');
    await changeApp({ parts: ['database'] });
    await flow.become('database=Ready app=Ready other=Ready');
    await dropFinalizer(client, ConfigMap, (await client.get(ConfigMap, key('app')))!, hold);
  });

  test('a failed dependent stops only those that depend on it, and is retried', async () => {
    await createApp();
    let isFailing = true;
    const flow = await run({
      bad: {
        kind: ConfigMap,
        desired: () => {
          if (isFailing) throw new Error('not now');
          return configMap('bad');
        },
      },
      after: { kind: ConfigMap, dependsOn: ['bad'], desired: () => configMap('after') },
      unclear: {
        kind: ConfigMap,
        when: () => {
          if (isFailing) throw new Error('who knows');
          return true;
        },
        desired: () => configMap('unclear'),
      },
      good: { kind: ConfigMap, desired: () => configMap('good') },
    });
    await flow.become('bad=Failed after=Waiting unclear=Failed good=Ready');
    expect(flow.result?.dependents['bad']?.error).toMatchObject({ message: 'not now' });
    expect(await names()).toBe('good');
    isFailing = false;
    await flow.become('bad=Ready after=Ready unclear=Ready good=Ready');
  });

  test('a recreated object is not ready before it exists', async () => {
    await createApp();
    const hold = 'example.com/hold';
    const flow = await run({
      first: {
        kind: ConfigMap,
        updateStrategy: 'Recreate',
        desired: (app) => ({
          metadata: { name: 'first', finalizers: [hold] },
          data: { text: app.spec.text ?? '' },
        }),
      },
      second: { kind: ConfigMap, dependsOn: ['first'], desired: () => configMap('second') },
    });
    await flow.become('first=Ready second=Ready');
    await changeApp({ text: 'other' });
    await flow.become('first=NotReady second=Waiting');
    await dropFinalizer(client, ConfigMap, (await client.get(ConfigMap, key('first')))!, hold);
    await flow.become('first=Ready second=Ready');
    expect((await client.get(ConfigMap, key('first')))!.data).toEqual({ text: 'other' });
  });

  test("does not change another owner's object with the same name", async () => {
    const mine = await client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: key('config'),
    });
    await createApp();
    const flow = await run({
      config: { kind: ConfigMap, desired: () => configMap('config', { a: '1' }) },
      other: { kind: ConfigMap, desired: () => configMap('other') },
    });
    await flow.become('config=Failed other=Ready');
    expect(flow.result?.dependents['config']?.error).toMatchObject({ code: 'ALREADY_OWNED' });
    expect(await client.get(ConfigMap, key('config'))).toEqual(mine);
  });

  test('deletes the objects of dependents that the operator used to have', async () => {
    await createApp();
    const before = await run({
      old: { kind: ConfigMap, desired: () => configMap('old') },
      renamed: { kind: ConfigMap, desired: () => configMap('kept') },
    });
    await before.become('old=Ready renamed=Ready');
    const { uid } = (await client.get(ConfigMap, key('kept')))!.metadata;
    await before.manager.stop();
    const after = await run({
      gate: {
        kind: ConfigMap,
        desired: () => configMap('gate'),
        readyWhen: ({ metadata }) => metadata.labels?.['open'] === 'true',
      },
      current: { kind: ConfigMap, dependsOn: ['gate'], desired: () => configMap('kept') },
    });
    await after.become('gate=NotReady current=Waiting');
    expect(await names()).toBe('gate,kept,old');
    await client.patch(ConfigMap, key('gate'), { metadata: { labels: { open: 'true' } } });
    await after.become('gate=Ready current=Ready');
    await waitFor(async () => (await names()) === 'gate,kept');
    expect((await client.get(ConfigMap, key('kept')))!.metadata).toMatchObject({
      uid,
      labels: { 'runtime.ots/dependent': 'current' },
    });
  });

  test('a cleanup deletes in the reverse order, and waits for deletedWhen', async () => {
    await createApp();
    const gone: string[] = [];
    let isBucketEmpty = false;
    const flow = await run({
      first: {
        kind: ConfigMap,
        desired: () => configMap('first'),
        deletedWhen: () => gone.push('first') > 0,
      },
      second: {
        kind: ConfigMap,
        dependsOn: ['first'],
        desired: () => configMap('second'),
        deletedWhen: () => {
          if (isBucketEmpty) gone.push('second');
          return isBucketEmpty;
        },
      },
      third: {
        kind: ConfigMap,
        dependsOn: ['second'],
        desired: () => configMap('third'),
        deletedWhen: () => gone.push('third') > 0,
      },
    });
    await flow.become('first=Ready second=Ready third=Ready');
    await client.delete(App, key('app'));
    await flow.become('first=Waiting second=Deleting third=Skipped');
    await waitFor(async () => (await names()) === 'first');
    isBucketEmpty = true;
    await client.patch(App, key('app'), { metadata: { annotations: { poke: '1' } } });
    await waitFor(async () => (await client.get(App, key('app'))) === undefined);
    expect([...new Set(gone)]).toEqual(['third', 'second', 'first']);
    expect(await names()).toBe('');
  });

  test('works without an optional kind until the server has it', async () => {
    await createApp();
    const flow = await run({
      widget: { kind: Widget, optional: true, desired: () => ({ metadata: { name: 'widget' } }) },
      after: { kind: ConfigMap, dependsOn: ['widget'], desired: () => configMap('after') },
      config: { kind: ConfigMap, desired: () => configMap('config') },
    });
    await flow.become('widget=Skipped after=Skipped config=Ready');
    expect(flow.result?.isReady).toBe(true);
    await client.create(CustomResourceDefinition, widgets);
    // Nothing else happens: neither the primary nor a dependent changes.
    await flow.become('widget=Ready after=Ready config=Ready');
    expect(await names()).toBe('after,config');
  });

  test('creates nothing for a primary that is being deleted', async () => {
    await createApp();
    const held = await ensureFinalizer(client, App, (await client.get(App, key('app')))!, finalizer);
    await client.delete(App, key('app'));
    const source = await server.createManager(namespace);
    const config = { kind: ConfigMap, desired: (): never => expect.unreachable() };
    const workflow = new Workflow(source, { primary: App, dependents: { config } });
    for (const kind of workflow.kinds) source.cache.add(kind);
    void source.start();
    await source.ready;
    const context = { signal: new AbortController().signal } as ReconcileContext;
    const result = await workflow.reconcile((await client.get(App, key('app')))!, context);
    expect(result).toMatchObject({ isReady: false, dependents: { config: { state: 'Waiting' } } });
    await dropFinalizer(client, App, held, finalizer);
  });

  test('an unknown name does not compile', async () => {
    const source = await server.createManager(namespace);
    const desired = (): [] => [];
    expect(
      () =>
        new Workflow(source, {
          primary: App,
          dependents: {
            a: { kind: ConfigMap, desired },
            // @ts-expect-error: "c" is neither "a" nor "b".
            b: { kind: ConfigMap, desired, dependsOn: ['a', 'c'] },
          },
        }),
    ).toThrow('b depends on c');
  });

  test.each<[string, Dependents<App, Record<string, ConfigMap>>, string]>([
    [
      'a circle',
      {
        a: { kind: ConfigMap, dependsOn: ['b'], desired: () => [] },
        b: { kind: ConfigMap, dependsOn: ['a'], desired: () => [] },
      },
      'form a cycle: a -> b -> a',
    ],
    [
      'an unknown name',
      { a: { kind: ConfigMap, dependsOn: ['b'], desired: () => [] } },
      'a depends on b, which does not exist',
    ],
    [
      'a name that is not a label',
      { 'a b': { kind: ConfigMap, desired: () => [] } },
      '"a b" cannot name a dependent',
    ],
  ])('%s is refused', async (_, dependents, message) => {
    const source = await server.createManager(namespace);
    expect(() => new Workflow(source, { primary: App, dependents })).toThrow(message);
  });
});

test('a plan continues after a restart, from the status', async () => {
  await createApp();
  const calls: string[] = [];
  let isFailing = true;
  const operator = async (): Promise<Manager> => {
    const running = await server.createManager(namespace);
    const plan = new Plan<App>([
      step('backup', () => void calls.push('backup')),
      step('migrate', () => {
        calls.push('migrate');
        if (isFailing) throw new Error('not now');
      }),
      step('switch', () => void calls.push('switch')),
    ]);
    new ControllerBuilder(running).for(App).complete(async (request, context) => {
      const app = await running.client.get(App, request);
      if (!app) return {};
      const save = (upgrade: PlanStatus): Promise<App> =>
        running.client.status.patch(App, request, { status: { upgrade } });
      return plan.run(app, context, { status: app.status?.upgrade, save });
    });
    void running.start();
    await running.ready;
    return running;
  };
  const first = await operator();
  const phase = async (): Promise<unknown> => (await client.get(App, key('app')))?.status?.upgrade?.phase;
  await waitFor(async () => (await phase()) === 'Failed');
  await first.stop();
  isFailing = false;
  calls.length = 0;
  await operator();
  await waitFor(async () => (await phase()) === 'Complete');
  expect(calls).toEqual(['migrate', 'switch']);
});
