import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import { ControllerBuilder } from '../../src/controller/controller-builder.ts';
import type { Reconciler } from '../../src/controller/reconciler.ts';
import { createLogger } from '../../src/logging/create-logger.ts';
import { Manager } from '../../src/manager/manager.ts';
import { Thing, thing, thingCrds } from '../thing.ts';

// In virtual time, which needs the embedded API server.

const annotation = 'example.com/paused';
const key = { name: 'a', namespace: 'default' };

/** A thing in an environment with a controller that can be paused. */
class Pausing implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly manager: Manager;

  static async start(reconcile: (manager: Manager) => Reconciler['reconcile']): Promise<Pausing> {
    const environment = await TestEnvironment.start({ crds: [thingCrds], env: {}, clock: 'virtual' });
    const connection = environment.config;
    const manager = await Manager.create({ connection, logger: createLogger({ level: 'silent' }) });
    new ControllerBuilder(manager)
      .for(Thing)
      .pausedBy(annotation)
      .complete({ reconcile: reconcile(manager) });
    manager.start().catch(() => {});
    await manager.ready;
    const pausing = new Pausing(environment, manager);
    await pausing.client.create(Thing, thing('a'));
    return pausing;
  }

  private constructor(environment: TestEnvironment, manager: Manager) {
    this.environment = environment;
    this.manager = manager;
    this.client = new Client(environment.config, { fieldOwner: 'test' });
  }

  async annotate(value: string | null): Promise<void> {
    await this.client.patch(Thing, key, { metadata: { annotations: { [annotation]: value } } } as object);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.manager.stop();
    await this.environment.advance('1m');
    await stopped;
    await this.client.close();
    await this.environment.stop();
  }
}

test('requeueAfter does not run a paused object, and continues when it is resumed', async () => {
  const hours: number[] = [];
  await using pausing = await Pausing.start(({ now }) => async () => {
    hours.push(now().getTime() / 3_600_000);
    return { requeueAfter: '1h' };
  });
  const { environment } = pausing;
  await environment.settle();
  const [start] = hours;
  await environment.advance('90m');
  await pausing.annotate('true');
  await environment.advance('5h');
  await pausing.annotate(null);
  await environment.advance('1h');
  expect(hours.map((hour) => Math.round((hour - start!) * 10) / 10)).toEqual([0, 1, 6.5, 7.5]);
});

test('a failing object that is paused is not retried, and starts over when it is resumed', async () => {
  const attempts: number[] = [];
  await using pausing = await Pausing.start(() => async (_, { attempt }) => {
    attempts.push(attempt);
    throw new Error('no');
  });
  await pausing.environment.advance('1m');
  expect(attempts.length).toBeGreaterThan(10);
  await pausing.annotate('true');
  attempts.length = 0;
  await pausing.environment.advance('10h');
  expect(attempts).toEqual([]);
  await pausing.annotate(null);
  await pausing.environment.settle();
  expect(attempts[0]).toBe(1);
});

test('a pause that begins among conflicts ends the retries', async () => {
  let writes = 0;
  await using pausing = await Pausing.start(({ client }) => async (request) => {
    const object = await client.get(Thing, request);
    if (!object) return;
    writes += 1;
    await client.status.update(Thing, { ...object, status: { size: object.spec.size } });
  });
  const { environment } = pausing;
  const conflicts = environment.faults.add(
    { verbs: ['update'], resource: 'things/status' },
    { answer: 'Conflict' },
  );
  await environment.advance('1m');
  expect(conflicts.hits).toBeGreaterThan(5);
  await pausing.annotate('true');
  await environment.settle();
  writes = 0;
  await environment.advance('1h');
  expect(writes).toBe(0);
  conflicts.remove();
  await pausing.annotate('false');
  await environment.settle();
  expect((await pausing.client.get(Thing, key))?.status).toEqual({ size: 1 });
});

test('a pause and a resumption that happen while the watch is down are known when it is back', async () => {
  let runs = 0;
  await using pausing = await Pausing.start(() => async () => void (runs += 1));
  const { environment } = pausing;
  await environment.settle();
  const missed = async (value: string | null): Promise<void> => {
    using fault = environment.faults.add({ verbs: ['watch'], resource: 'things' }, { watch: 'drop' });
    await pausing.annotate(value);
    await pausing.client.patch(Thing, key, { spec: { size: runs + 5 } });
    environment.faults.compact();
    await environment.advance('10s');
    expect(fault.hits).toBeGreaterThan(0);
  };
  await missed('true');
  await environment.advance('2m');
  expect(runs).toBe(1);
  await missed(null);
  await environment.advance('2m');
  expect(runs).toBe(2);
});
