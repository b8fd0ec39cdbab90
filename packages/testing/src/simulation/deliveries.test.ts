import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Client, ControllerBuilder, Manager, createLogger } from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import type { Choice, Choose, Delivery } from './delivery.ts';

const key = (name: string) => ({ name, namespace: 'default' });
const configMap = (name: string): ConfigMap => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: key(name) });

/** A cluster in which everything arrives in its order, unless the test decides otherwise. */
class Explored implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  /** Decides about a delivery: lets it arrive, holds it, drops it or repeats it. */
  decide: (delivery: Delivery) => 'arrive' | 'hold' | 'drop' | 'repeat' = () => 'arrive';

  static async start(): Promise<Explored> {
    let choose: Choose = (ready) => ready[0];
    const environment = await TestEnvironment.start({
      env: {},
      clock: 'virtual',
      choose: (ready) => choose(ready),
    });
    const explored = new Explored(environment);
    choose = (ready) => explored.#choose(ready);
    return explored;
  }

  private constructor(environment: TestEnvironment) {
    this.environment = environment;
    this.client = new Client({ ...environment.config }, { fieldOwner: 'test' });
  }

  #choose(ready: readonly Delivery[]): Choice {
    for (const delivery of ready) {
      const decision = this.decide(delivery);
      if (decision === 'hold') continue;
      return decision === 'arrive'
        ? delivery
        : decision === 'drop'
          ? { drop: delivery }
          : { repeat: delivery };
    }
    return undefined;
  }

  /** Runs an operator that keeps a copy of each ConfigMap `source-…`. */
  async operator(userAgent: string): Promise<Manager> {
    const logger = createLogger({ level: 'silent' });
    const manager = await Manager.create({ connection: this.environment.config, logger, userAgent });
    const { client } = manager;
    new ControllerBuilder(manager).for(ConfigMap).complete({
      async reconcile({ name }) {
        if (!name.startsWith('source-')) return;
        const source = await client.get(ConfigMap, key(name));
        for (const suffix of ['first', 'second']) {
          const copy = `${name.replace('source', 'copy')}-${suffix}`;
          const known = await client.get(ConfigMap, key(copy));
          if (!source || known?.data?.['n'] === source.data?.['n']) continue;
          const data = { ...source.data };
          await (known
            ? client.update(ConfigMap, { ...known, data })
            : client.create(ConfigMap, { ...configMap(copy), data }));
        }
      },
    });
    manager.start().catch(() => {});
    await manager.ready;
    return manager;
  }

  /** Writes a ConfigMap as a user would. */
  async write(name: string, n: string): Promise<void> {
    await this.client.apply(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: key(name),
      data: { n },
    });
  }

  async names(): Promise<string[]> {
    const { items } = await this.client.list(ConfigMap, { namespace: 'default' });
    return items.map(({ metadata: { name }, data }) => `${name} ${data?.['n'] ?? ''}`.trim());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.decide = () => 'arrive';
    await this.client.close();
    await this.environment.stop();
  }
}

test('a delivery that is held arrives later than what was sent after it', async () => {
  await using explored = await Explored.start();
  const { client, environment } = explored;
  explored.decide = ({ kind, name, verb }) =>
    kind === 'request' && verb === 'delete' && name === 'a' ? 'hold' : 'arrive';
  await client.create(ConfigMap, configMap('a'));
  const deleted = client.delete(ConfigMap, key('a'));
  await client.create(ConfigMap, configMap('b'));
  await environment.settle();
  expect(await explored.names()).toEqual(['a', 'b']);
  explored.decide = () => 'arrive';
  await environment.settle();
  await deleted;
  expect(await explored.names()).toEqual(['b']);
});

test('a request that is repeated happens twice, and the client sees the first response', async () => {
  await using explored = await Explored.start();
  const { client, environment } = explored;
  let copies = 0;
  const repeated = new Set<string>();
  explored.decide = ({ kind, verb }) => {
    if (kind !== 'request' || verb !== 'create' || copies > 0) return 'arrive';
    copies += 1;
    return 'repeat';
  };
  const metadata = { generateName: 'twice-', namespace: 'default' };
  const created = await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  repeated.add(created.metadata.name!);
  await environment.settle();
  const names = await explored.names();
  expect(names).toHaveLength(2);
  expect(names.filter((name) => repeated.has(name))).toHaveLength(1);
  expect(environment.trace.filter(({ verb }) => verb === 'create')).toHaveLength(2);
});

test('what is dropped breaks its connection: a request is not handled, a response not received', async () => {
  await using explored = await Explored.start();
  const { client, environment } = explored;
  for (const lost of ['request', 'response'] as const) {
    explored.decide = ({ kind, verb }) => (kind === lost && verb === 'create' ? 'drop' : 'arrive');
    await expect(client.create(ConfigMap, configMap(lost))).rejects.toThrow('the connection broke');
    explored.decide = () => 'arrive';
    await environment.settle();
  }
  expect(await explored.names()).toEqual(['response']);
});

test.each(['hold', 'drop', 'repeat'] as const)('a cache survives events of watches: %s', async (decision) => {
  await using explored = await Explored.start();
  const { environment } = explored;
  await using manager = await explored.operator('operator');
  let left = 5;
  explored.decide = ({ kind, line }) => {
    if (kind !== 'event' || left === 0 || !line?.includes('source-')) return 'arrive';
    left -= 1;
    return decision;
  };
  for (let round = 0; round < 4; round += 1) {
    await explored.write(`source-${round % 2}`, `${round}`);
    await environment.advance('5s');
  }
  explored.decide = () => 'arrive';
  await environment.advance('2m');
  expect(left).toBeLessThan(5);
  expect(await explored.names()).toEqual([
    ...['first', 'second'].map((suffix) => `copy-0-${suffix} 2`),
    ...['first', 'second'].map((suffix) => `copy-1-${suffix} 3`),
    'source-0 2',
    'source-1 3',
  ]);
  const stopped = manager.stop();
  await environment.advance('1m');
  await stopped;
});

test('an operator that crashes after any of its writes is followed by one that completes its work', async () => {
  await using explored = await Explored.start();
  const { environment } = explored;
  const empty = environment.snapshot();
  let crashes = 0;
  for (let write = 1; write <= 4; write += 1) {
    await environment.restore(empty);
    let written = 0;
    let hasCrashed = false;
    // What a process that ends no longer sends or receives. Its last response may be lost, too.
    explored.decide = ({ kind, verb, userAgent }) => {
      if (!userAgent.startsWith(`operator-${write} `)) return 'arrive';
      if (kind === 'response' && ['create', 'update'].includes(verb)) written += 1;
      hasCrashed ||= written === write;
      return hasCrashed ? 'drop' : 'arrive';
    };
    await explored.write('source-a', '1');
    const manager = await explored.operator(`operator-${write}`);
    await environment.settle();
    await explored.write('source-a', '2');
    await environment.advance('1m');
    expect(hasCrashed).toBe(true);
    crashes += 1;
    const wrote = environment.trace.length;
    const next = await explored.operator('next');
    await environment.advance('1m');
    expect(await explored.names()).toEqual(['copy-a-first 2', 'copy-a-second 2', 'source-a 2']);
    expect(environment.trace.length - wrote).toBeLessThanOrEqual(2);
    const stopped = Promise.all([manager.stop(), next.stop()]);
    await environment.advance('1m');
    await stopped;
  }
  expect(crashes).toBe(4);
}, 30_000);
