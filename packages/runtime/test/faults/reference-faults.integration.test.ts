import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import { ControllerBuilder } from '../../src/controller/controller-builder.ts';
import { createLogger } from '../../src/logging/create-logger.ts';
import { Manager } from '../../src/manager/manager.ts';
import { contentHash } from '../../src/objects/content-hash.ts';
import { Thing, thing, thingCrds } from '../thing.ts';

// In virtual time, which needs the embedded API server.

const key = (name: string) => ({ name, namespace: 'default' });

/** An environment with a manager, and a ConfigMap `user` that refers to other objects by their names. */
class Referring implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly manager: Manager;

  static async create(crds: string[] = []): Promise<Referring> {
    const environment = await TestEnvironment.start({ crds, env: {}, clock: 'virtual' });
    const connection = environment.config;
    const manager = await Manager.create({ connection, logger: createLogger({ level: 'silent' }) });
    return new Referring(environment, manager);
  }

  private constructor(environment: TestEnvironment, manager: Manager) {
    this.environment = environment;
    this.manager = manager;
    this.client = new Client(environment.config, { fieldOwner: 'test' });
  }

  async start(): Promise<void> {
    this.manager.start().catch(() => {});
    await this.manager.ready;
    await this.client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: key('user'),
      data: { refers: 'a' },
    });
    await this.environment.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.manager.stop();
    await this.environment.advance('1m');
    await stopped;
    await this.client.close();
    await this.environment.stop();
  }
}

test('a Secret that changes while its watch is down, and is gone before it resumes, reconciles what refers to it', async () => {
  await using referring = await Referring.create();
  const { environment, manager, client } = referring;
  const hashes: string[] = [];
  new ControllerBuilder(manager)
    .for(ConfigMap)
    .references(Secret, (config) => config.data?.['refers'])
    .complete(async (request) => {
      if (request.name === 'user') hashes.push(contentHash(await manager.client.get(Secret, key('a'))));
    });
  const secret = (value: string): Secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: key('a'),
    stringData: { value },
  });
  await client.create(Secret, secret('1'));
  await referring.start();
  const missed = async (change: () => Promise<unknown>): Promise<void> => {
    {
      using fault = environment.faults.add({ verbs: ['watch'], resource: 'secrets' }, { watch: 'drop' });
      await change();
      environment.faults.compact();
      await environment.advance('10s');
      expect(fault.hits).toBeGreaterThan(0);
    }
    await environment.advance('2m');
  };
  hashes.length = 0;
  await missed(() => client.patch(Secret, key('a'), { stringData: { value: '2' } }));
  await missed(() => client.delete(Secret, key('a')));
  await missed(() => client.create(Secret, secret('3')));
  expect(hashes).toEqual([contentHash(secret('2')), contentHash(undefined), contentHash(secret('3'))]);
});

test('references to a kind that is installed later', async () => {
  await using referring = await Referring.create();
  const { environment, manager, client } = referring;
  const sizes: (number | undefined)[] = [];
  manager.cache.add(Thing, { optional: true });
  new ControllerBuilder(manager)
    .for(ConfigMap)
    .references(Thing, (config) => config.data?.['refers'])
    .complete(async (request) => {
      if (request.name === 'user') sizes.push((await manager.client.get(Thing, key('a')))?.spec.size);
    });
  await referring.start();
  expect(sizes).toEqual([undefined]);
  await environment.install(thingCrds);
  await client.create(Thing, thing('a', 7));
  await environment.advance('1m');
  expect(sizes).toEqual([undefined, 7]);
});
