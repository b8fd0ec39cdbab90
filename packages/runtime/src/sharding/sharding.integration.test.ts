import { Lease } from 'ots-kubernetes/coordination/v1';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { beforeEach, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { NamespaceNotCachedError } from '../cache/cache-errors.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { ReconcileContext, Request } from '../controller/reconciler.ts';
import type { ManagerOptions } from '../manager/manager-options.ts';
import type { Manager } from '../manager/manager.ts';
import { keyOf, keyText } from '../objects/object-key.ts';
import { controllerReference } from '../objects/owner-references.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { claimsAnnotation, memberLabel } from './claims.ts';
import type { ShardingOptions } from './sharding-options.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(thingCrds);
/** Those whose objects the managers watch. */
let namespaces: string[];
/** Which replica reconciled an object last, by its key. */
let owners: Map<string, string>;
/** Which replicas reconcile an object now, by its key. */
let running: Map<string, string>;
let complaints: string[];
let groups = 0;
let leasePrefix: string;

beforeEach(() => {
  namespaces = [];
  owners = new Map();
  running = new Map();
  complaints = [];
  groups += 1;
  leasePrefix = `group-${groups}`;
});

async function createThings(perNamespace: number, inNamespaces: number): Promise<void> {
  for (let count = 0; count < inNamespaces; count += 1) namespaces.push(await server.createNamespace());
  const keys = namespaces.flatMap((namespace) =>
    Array.from({ length: perNamespace }, (_, index) => ({ namespace, name: `thing-${index}` })),
  );
  await Promise.all(
    keys.map((metadata) => server.client.create(Thing, { ...thing(metadata.name), metadata })),
  );
}

interface Replica {
  name: string;
  manager: Manager;
}

/** Writes the status of a Thing, and takes its time for that. */
function reconcilerOf({ name, manager }: Replica) {
  return async (request: Request, { signal }: ReconcileContext): Promise<void> => {
    // Left by other tests.
    if (!namespaces.includes(request.namespace!)) return;
    const key = keyText(request);
    const other = running.get(key);
    if (other !== undefined) complaints.push(`${name} reconciles ${key} while ${other} does`);
    running.set(key, name);
    try {
      const object = await manager.client.get(Thing, request);
      if (!object) return;
      await manager.client.status.patch(Thing, request, { status: { size: object.spec.size } }, { signal });
      owners.set(key, name);
    } finally {
      running.delete(key);
    }
  };
}

async function start(
  name: string,
  by: ShardingOptions['by'] = 'namespace',
  options: Partial<ManagerOptions> = {},
): Promise<Replica> {
  const manager = await server.createManager('', {
    cache: { namespaces },
    sharding: { leasePrefix, by, namespace: 'default', identity: name },
    ...options,
  });
  const replica = { name, manager };
  new ControllerBuilder(manager)
    .for(Thing)
    .withOptions({ maxConcurrentReconciles: 4 })
    .complete(reconcilerOf(replica));
  manager.start().catch(() => {});
  await manager.ready;
  return replica;
}

/** Waits until the work is divided, and no replica has anything to do. */
async function divided(...replicas: Replica[]): Promise<void> {
  for (const { manager } of replicas) await manager.idle({ timeout: '25s' });
}

/** Changes all objects, and returns which replica reconciled how many of them. */
async function changeAll(size: number, ...replicas: Replica[]): Promise<Record<string, number>> {
  owners.clear();
  const { items } = await server.client.list(Thing);
  const here = items.filter(({ metadata }) => namespaces.includes(metadata.namespace!));
  await Promise.all(
    here.map(({ metadata: { name = '', namespace } }) =>
      server.client.patch(Thing, { name, namespace }, { spec: { size } }),
    ),
  );
  await divided(...replicas);
  expect(owners.size).toBe(here.length);
  const countOf = (name: string): number => [...owners.values()].filter((owner) => owner === name).length;
  return Object.fromEntries(replicas.map(({ name }) => [name, countOf(name)]));
}

const leases = async (): Promise<Lease[]> => {
  const options = { namespace: 'default', labelSelector: `${memberLabel}=${leasePrefix}` };
  return (await server.client.list(Lease, options)).items as Lease[];
};

async function holders(): Promise<Set<string | undefined>> {
  return new Set((await leases()).map(({ spec }) => spec?.holderIdentity));
}

test('three replicas divide 300 objects by their namespaces; then one joins, and one leaves', async () => {
  await createThings(10, 30);
  const [a, b, c] = await Promise.all([start('a'), start('b'), start('c')]);
  await divided(a, b, c);
  const three = await changeAll(2, a, b, c);
  expect(Math.min(...Object.values(three))).toBeGreaterThanOrEqual(10);
  // Together with all others of their namespace.
  for (const namespace of namespaces) {
    const its = [...owners].filter(([key]) => key.startsWith(`${namespace}/`)).map(([, name]) => name);
    expect(new Set(its).size).toBe(1);
  }
  expect(await holders()).toEqual(new Set(['a', 'b', 'c']));

  const before = new Map(owners);
  owners.clear();
  const d = await start('d');
  await divided(a, b, c, d);
  // What it owns now is reconciled without any event.
  expect(new Set(owners.values())).toEqual(new Set(['d']));
  const moved = [...owners.keys()];
  const four = await changeAll(3, a, b, c, d);
  expect(four['d']).toBe(moved.length);
  for (const [key, name] of owners) expect(name).toBe(moved.includes(key) ? 'd' : before.get(key));

  owners.clear();
  const stopped = performance.now();
  await d.manager.stop();
  await waitFor(() => owners.size === moved.length, { timeout: '20s' });
  // Without waiting for a Lease to expire.
  expect(performance.now() - stopped).toBeLessThan(12_000);
  await divided(a, b, c);
  for (const key of moved) expect(owners.get(key)).toBe(before.get(key));
  expect(await holders()).toEqual(new Set(['a', 'b', 'c']));
  expect(complaints).toEqual([]);
}, 90_000);

test('the objects of a replica that ends without a word go to the others when its Lease has expired', async () => {
  await createThings(4, 12);
  const timing = { leaseDuration: '3s', renewDeadline: '2s', retryPeriod: '300ms' } as const;
  const options = (name: string): Partial<ManagerOptions> => ({
    sharding: { leasePrefix, by: 'namespace', namespace: 'default', identity: name, ...timing },
    gracefulShutdownTimeout: 0,
  });
  const [a, b] = await Promise.all([
    start('a', 'namespace', options('a')),
    start('b', 'namespace', options('b')),
  ]);
  await divided(a, b);
  await changeAll(2, a, b);
  const lost = [...owners].filter(([, name]) => name === 'b').map(([key]) => key);
  expect(lost.length).toBeGreaterThan(0);
  // It does not wait for this, and so does not know whether it still writes.
  b.manager.add({ needsLeaderElection: false, start: () => new Promise(() => {}) });
  owners.clear();
  await b.manager.stop();
  expect(await leases()).toHaveLength(2);
  await waitFor(() => owners.size === lost.length, { timeout: '20s' });
  expect(new Set(owners.keys())).toEqual(new Set(lost));
  expect(await holders()).toEqual(new Set(['a']));
  expect(complaints).toEqual([]);
}, 60_000);

test('objects of one namespace are divided by their UIDs, and children run the replica of their owner', async () => {
  await createThings(60, 1);
  const children = new Map<string, string>();
  const replicas = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const manager = await server.createManager(namespaces[0]!, {
        sharding: { leasePrefix, by: 'uid', namespace: 'default', identity: name },
      });
      new ControllerBuilder(manager)
        .for(Thing)
        .owns(ConfigMap)
        .complete(async (request) => {
          const object = await manager.client.get(Thing, request);
          children.set(keyText(request), name);
          if (object) owners.set(keyText(request), name);
        });
      manager.start().catch(() => {});
      await manager.ready;
      return { name, manager };
    }),
  );
  await divided(...replicas);
  expect(owners.size).toBe(60);
  const counts = ['a', 'b'].map((each) => [...owners.values()].filter((name) => name === each).length);
  expect(Math.min(...counts)).toBeGreaterThan(15);

  const [namespace] = namespaces;
  const { items } = await server.client.list(Thing, { namespace });
  children.clear();
  await Promise.all(
    items.map((owner) =>
      server.client.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: owner.metadata.name!,
          namespace: namespace!,
          ownerReferences: [controllerReference(owner)],
        },
      }),
    ),
  );
  await divided(...replicas);
  expect(children).toEqual(owners);

  // The last owner learns that it is gone.
  children.clear();
  await Promise.all(items.map((object) => server.client.delete(Thing, object)));
  await divided(...replicas);
  expect(children).toEqual(owners);
}, 60_000);

test('a replica whose Lease was deleted writes nothing more for its objects, and joins again', async () => {
  await createThings(1, 3);
  const a = await start('a');
  await divided(a);
  const [lease] = await leases();
  expect(lease?.metadata.annotations?.[claimsAnnotation]).toMatch(/^v1\/namespace\/1024\//);
  await server.client.delete(Lease, lease!);
  await waitFor(async () => {
    const [again] = await leases();
    return again !== undefined && again.metadata.uid !== lease!.metadata.uid;
  });
  await divided(a);
  expect(await changeAll(2, a)).toEqual({ a: 3 });
});

test('a reconcile ends when its object goes to another replica, which waits for that', async () => {
  await createThings(1, 20);
  const a = await start('a');
  await divided(a);
  const ended: unknown[] = [];
  let begun = 0;
  new ControllerBuilder(a.manager)
    .named('slow')
    .for(Thing)
    .withOptions({ maxConcurrentReconciles: 20 })
    .complete(async (request, { signal }) => {
      begun += 1;
      await untilAborted(signal);
      ended.push(signal.reason);
      expect(
        await a.manager.client.status.patch(Thing, request, {}, { signal: undefined }).catch((e) => e),
      ).toMatchObject({
        code: 'SHARD_LOST',
      });
      ended.push('refused');
    });
  await waitFor(() => begun === 20);
  owners.clear();
  const b = await start('b');
  await waitFor(() => owners.size > 3, { timeout: '20s' });
  await b.manager.idle();
  expect(ended).toHaveLength(2 * owners.size);
  expect(ended[0]).toMatchObject({ code: 'SHARD_LOST' });
  expect(ended.filter((each) => each === 'refused')).toHaveLength(owners.size);
});

test('beside a leader election, some controllers run on the leader only', async () => {
  await createThings(1, 8);
  const runs: string[] = [];
  const replicas = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const replica = await start(name, 'namespace', {
        leaderElection: { id: `${leasePrefix}-leader`, namespace: 'default', identity: name },
      });
      new ControllerBuilder(replica.manager)
        .named('totals')
        .for(Thing)
        .withOptions({ needsLeaderElection: true })
        .complete(async () => void runs.push(name));
      return replica;
    }),
  );
  await divided(...replicas);
  await waitFor(() => runs.length >= 8, { timeout: '20s' });
  expect(new Set(runs).size).toBe(1);
  expect(new Set(owners.values()).size).toBe(2);
});

test('work for one leader is refused if the replicas elect none', async () => {
  const manager = await server.createManager('default', {
    sharding: { leasePrefix, by: 'namespace', namespace: 'default' },
  });
  expect(() => manager.add({ name: 'report', start: async () => {} })).toThrow(
    'report needs a leader, and the replicas of this manager elect none',
  );
  const builder = new ControllerBuilder(manager).for(Thing).withOptions({ needsLeaderElection: true });
  expect(() => builder.complete(async () => {})).toThrow('thing needs a leader');
});

test('metrics and the readiness check show the division', async () => {
  await createThings(1, 1);
  const a = await start('a', 'namespace', {
    metrics: { port: 0, host: '127.0.0.1', secure: false },
    health: { port: 0, host: '127.0.0.1' },
  });
  await divided(a);
  const { metrics, health } = a.manager.ports;
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  expect(text).toContain(`sharding_members{name="${leasePrefix}"} 1`);
  expect(text).toContain(`sharding_owned_shards{name="${leasePrefix}"} 1024`);
  expect((await fetch(`http://127.0.0.1:${health}/readyz/sharding`)).status).toBe(200);
});

const dividing = (name: string): Partial<ManagerOptions> => ({
  sharding: { leasePrefix, by: 'namespace', namespace: 'default', identity: name, divideCache: true },
});
const cachedIn = ({ manager }: Replica): string[] =>
  manager.cache
    .list(Thing)
    .filter(({ metadata }) => namespaces.includes(metadata.namespace!))
    .map(keyOf)
    .map(keyText);

test.each([
  ['of a list', () => ({ namespaces })],
  ['of the whole cluster', () => ({})],
])(
  'replicas that divide the cache have each object once while others join and leave: namespaces %s',
  async (_, cache) => {
    await createThings(10, 20);
    const startDividing = (name: string): Promise<Replica> =>
      start(name, 'namespace', { ...dividing(name), cache: cache() });
    const [a, b] = [await startDividing('a'), await startDividing('b')];
    const eachOnce = async (...replicas: Replica[]): Promise<void> => {
      await waitFor(() => replicas.flatMap(cachedIn).length === 200);
      expect(new Set(replicas.flatMap(cachedIn)).size).toBe(200);
    };
    await divided(a, b);
    await eachOnce(a, b);
    expect(cachedIn(a).length).toBeGreaterThan(0);
    expect(cachedIn(b).length).toBeGreaterThan(0);
    await changeAll(2, a, b);
    // Each replica reconciles exactly what it has.
    for (const replica of [a, b]) {
      const its = [...owners].filter(([, owner]) => owner === replica.name).map(([key]) => key);
      expect(new Set(its)).toEqual(new Set(cachedIn(replica)));
    }
    const foreign = cachedIn(b)[0]!.split('/')[0]!;
    expect(() => a.manager.cache.get(Thing, { name: 'thing-0', namespace: foreign })).toThrow(
      NamespaceNotCachedError,
    );

    const c = await startDividing('c');
    await divided(a, b, c);
    await eachOnce(a, b, c);
    await a.manager.stop();
    await divided(b, c);
    await eachOnce(b, c);
    await changeAll(3, b, c);
    expect(complaints).toEqual([]);
  },
);

test('controllers that work on all objects are refused if the replicas divide the cache', async () => {
  const manager = await server.createManager('', { cache: {}, ...dividing('a') });
  const builder = new ControllerBuilder(manager).for(Thing).withOptions({ needsLeaderElection: false });
  expect(() => builder.complete(async () => {})).toThrow(
    'The controller thing is for all objects, and the replicas divide the cache',
  );
});
