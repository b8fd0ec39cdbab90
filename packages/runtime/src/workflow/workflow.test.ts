import { ConfigMap } from 'ots-kubernetes/core/v1';
import { describe, expect, test } from 'vitest';
import { App } from '../../test/owners.ts';
import type { ApplyConfiguration } from '../client/content.ts';
import type { ChildrenSource } from '../composite/children.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { Dependents } from './dependent.ts';
import { Workflow } from './workflow.ts';
import type { WorkflowResult } from './workflow-result.ts';

const context = { signal: new AbortController().signal } as ReconcileContext;
const app: App = {
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: { name: 'app', namespace: 'default', uid: 'u' },
  spec: {},
};

/** A cluster that forgets nothing between two versions of an operator. */
class Cluster {
  readonly maps = new Map<string, ConfigMap>();
  /** Objects that stay when they are deleted, as those with finalizers do. */
  readonly held = new Set<string>();
  /** Objects that cannot be deleted. */
  readonly stuck = new Set<string>();
  #uids = 0;

  workflow(dependents: Dependents<App, Record<string, ConfigMap>>): Workflow<App, Record<string, ConfigMap>> {
    const client = {
      list: async () => ({ items: [...this.maps.values()], metadata: {} }),
      get: async (_: unknown, { name }: { name: string }) => this.maps.get(name),
      apply: async (_: unknown, configuration: ApplyConfiguration<ConfigMap>) => {
        const { name } = configuration.metadata;
        const uid = this.maps.get(name)?.metadata.uid ?? `u${(this.#uids += 1)}`;
        const applied = { ...configuration, metadata: { ...configuration.metadata, uid } } as ConfigMap;
        this.maps.set(name, applied);
        return applied;
      },
      delete: async (_: unknown, { metadata: { name = '' } }: ConfigMap) => {
        if (this.stuck.has(name)) throw new Error(`${name} is stuck`);
        const map = this.maps.get(name)!;
        const metadata = { ...map.metadata, deletionTimestamp: 'now' };
        if (this.held.has(name)) this.maps.set(name, { ...map, metadata });
        else this.maps.delete(name);
      },
    };
    const cache = { addIndex: () => {}, add: () => {} };
    const source = { client, apiReader: client, cache } as unknown as ChildrenSource;
    return new Workflow(source, { primary: App, dependents });
  }

  async reconcile(dependents: Dependents<App, Record<string, ConfigMap>>): Promise<string> {
    return states(await this.workflow(dependents).reconcile(app, context));
  }
}

const maps = (...names: string[]) => names.map((name) => ({ metadata: { name } }));

function states({ dependents }: WorkflowResult): string {
  return Object.entries(dependents)
    .map(([name, { state }]) => `${name}=${state}`)
    .join(' ');
}

test.each(['InPlace', 'OnDelete'] as const)(
  'an object moves to another dependent (%s)',
  async (updateStrategy) => {
    const cluster = new Cluster();
    await cluster.reconcile({ all: { kind: ConfigMap, desired: () => maps('a', 'b', 'c') } });
    const { uid } = cluster.maps.get('b')!.metadata;
    const split = {
      all: { kind: ConfigMap, desired: () => maps('a') },
      second: { kind: ConfigMap, dependsOn: ['all'], updateStrategy, desired: () => maps('b') },
    };
    expect(await cluster.reconcile(split)).toBe('all=Ready second=Ready');
    expect([...cluster.maps.keys()]).toEqual(['a', 'b']);
    expect(cluster.maps.get('b')!.metadata.uid).toBe(uid);
  },
);

test('a surplus object that cannot be deleted is a failure of its dependent', async () => {
  const cluster = new Cluster();
  await cluster.reconcile({ all: { kind: ConfigMap, desired: () => maps('a', 'b') } });
  cluster.stuck.add('b');
  let result: WorkflowResult | undefined;
  const workflow = cluster.workflow({ all: { kind: ConfigMap, desired: () => maps('a') } });
  const running = workflow.reconcile(app, context, (reported) => (result = reported));
  await expect(running).rejects.toThrow('b is stuck');
  expect(states(result!)).toBe('all=Failed');
});

test('the when of a dependent is not called if one that it depends on is not wanted', async () => {
  const when = (): never => expect.unreachable();
  const result = await new Cluster().reconcile({
    database: { kind: ConfigMap, when: () => false, desired: () => maps('db') },
    app: { kind: ConfigMap, dependsOn: ['database'], when, desired: () => maps('app') },
  });
  expect(result).toBe('database=Skipped app=Skipped');
});

test('an unwanted object is deleted, even if one that it depends on fails', async () => {
  const cluster = new Cluster();
  const dependents = (isWanted: boolean): Dependents<App, Record<string, ConfigMap>> => ({
    first: {
      kind: ConfigMap,
      desired: () => {
        if (!isWanted) throw new Error('not now');
        return maps('first');
      },
    },
    second: { kind: ConfigMap, dependsOn: ['first'], when: () => isWanted, desired: () => maps('second') },
  });
  await cluster.reconcile(dependents(true));
  await expect(cluster.reconcile(dependents(false))).rejects.toThrow('not now');
  expect([...cluster.maps.keys()]).toEqual(['first']);
});

describe('a cleanup', () => {
  const diamond: Dependents<App, Record<string, ConfigMap>> = {
    first: { kind: ConfigMap, desired: () => maps('first') },
    left: { kind: ConfigMap, dependsOn: ['first'], desired: () => maps('left') },
    right: { kind: ConfigMap, dependsOn: ['first'], desired: () => maps('right') },
    last: { kind: ConfigMap, dependsOn: ['left', 'right'], desired: () => maps('last') },
  };

  test('that fails for one keeps those that it depends on, and nothing else', async () => {
    const cluster = new Cluster();
    await cluster.reconcile(diamond);
    cluster.stuck.add('left');
    const cleanUp = async (): Promise<string> => {
      let reported = '';
      const report = (result: WorkflowResult): void => {
        reported = `${states(result)} ${result.isGone}`;
      };
      await cluster
        .workflow(diamond)
        .cleanup(app, context, report)
        .catch(() => {});
      return reported;
    };
    expect(await cleanUp()).toBe('first=Waiting left=Waiting right=Waiting last=Deleting false');
    expect(await cleanUp()).toBe('first=Waiting left=Failed right=Deleting last=Skipped false');
    expect([...cluster.maps.keys()]).toEqual(['first', 'left']);
    cluster.stuck.clear();
    expect(await cleanUp()).toBe('first=Waiting left=Deleting right=Skipped last=Skipped false');
    expect(await cleanUp()).toBe('first=Deleting left=Skipped right=Skipped last=Skipped false');
    expect(await cleanUp()).toBe('first=Skipped left=Skipped right=Skipped last=Skipped true');
  });

  test('is not done before the objects of an earlier version of the operator are gone', async () => {
    const cluster = new Cluster();
    await cluster.reconcile({ old: { kind: ConfigMap, desired: () => maps('old') } });
    cluster.held.add('old');
    const workflow = cluster.workflow({ now: { kind: ConfigMap, desired: () => maps('now') } });
    expect((await workflow.cleanup(app, context)).isGone).toBe(false);
    expect((await workflow.cleanup(app, context)).isGone).toBe(false);
    cluster.maps.delete('old');
    expect((await workflow.cleanup(app, context)).isGone).toBe(true);
  });
});
