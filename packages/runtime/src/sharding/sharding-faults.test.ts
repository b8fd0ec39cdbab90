import { ConfigMap, Namespace } from 'ots-kubernetes/core/v1';
import { TestEnvironment } from 'ots-testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Client } from '../client/client.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { keyText } from '../objects/object-key.ts';

// In virtual time, with the faults of the embedded server.

const namespaces = Array.from({ length: 16 }, (_, index) => `team-${index}`);
let environment: TestEnvironment;
let client: Client;
let managers: Manager[];
/** Who reconciles an object now, and what must not happen. */
let running: Map<string, string>;
let complaints: string[];

beforeEach(async () => {
  environment = await TestEnvironment.start({ clock: 'virtual' });
  client = new Client(environment.config);
  managers = [];
  running = new Map();
  complaints = [];
  for (const name of namespaces) {
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const metadata = { name: 'ledger', namespace: name };
    await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { round: '0' } });
  }
});

afterEach(async () => {
  for (const manager of managers) await manager.stop();
  await client.close();
  await environment.stop();
});

/** Starts a replica that writes who it is. */
async function start(identity: string): Promise<Manager> {
  const manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
    cache: { namespaces },
    sharding: { leasePrefix: 'ledgers', by: 'namespace', namespace: 'default', identity },
  });
  managers.push(manager);
  new ControllerBuilder(manager).for(ConfigMap).complete(async (request) => {
    if (request.name !== 'ledger') return;
    const key = keyText(request);
    if (running.has(key)) complaints.push(`${identity} and ${running.get(key)} reconcile ${key}`);
    running.set(key, identity);
    try {
      await manager.client.patch(ConfigMap, request, { data: { writer: identity } });
    } finally {
      running.delete(key);
    }
  });
  manager.start().catch(() => {});
  await manager.ready;
  return manager;
}

/** Lets every replica write again, and returns who did. */
async function writers(): Promise<Set<string>> {
  for (const namespace of namespaces) {
    await client.patch(ConfigMap, { name: 'ledger', namespace }, { data: { writer: 'the test' } });
  }
  await environment.advance('1s');
  const { items } = await client.list(ConfigMap);
  const ledgers = items.filter(({ metadata }) => metadata.name === 'ledger');
  return new Set(ledgers.map(({ data }) => data?.['writer'] ?? ''));
}

test.each([
  ['watches of Leases break', { verbs: ['watch'], resource: 'leases' }, { watch: 'drop' }],
  [
    'watches of Leases stay open and say nothing',
    { verbs: ['watch'], resource: 'leases' },
    { watch: 'half-open' },
  ],
] as const)('replicas that join are noticed while %s', async (_, selection, effect) => {
  await start('a');
  await environment.advance('5s');
  environment.faults.add({ ...selection, verbs: [...selection.verbs] }, effect);
  await start('b');
  await environment.advance('15s');
  expect(await writers()).toEqual(new Set(['a', 'b']));
  expect(complaints).toEqual([]);
});

test('no replica writes while the server refuses Leases for long, and all do afterwards, as before', async () => {
  await start('a');
  await start('b');
  await environment.advance('10s');
  expect(await writers()).toEqual(new Set(['a', 'b']));
  const fault = environment.faults.add({ resource: 'leases' }, { answer: 'InternalError' });
  await environment.advance('6s');
  expect(await writers()).toEqual(new Set(['a', 'b']));
  await environment.advance('9s');
  expect(await writers()).toEqual(new Set(['the test']));
  fault.remove();
  await environment.advance('30s');
  expect(await writers()).toEqual(new Set(['a', 'b']));
  expect(complaints).toEqual([]);
});

test('claims whose responses are lost are neither forgotten nor used twice', async () => {
  environment.faults.add(
    { verbs: ['create', 'update'], resource: 'leases', times: 6 },
    { disconnect: 'after' },
  );
  await start('a');
  await start('b');
  await environment.advance('40s');
  expect(environment.faults.unused()).toEqual([]);
  expect(await writers()).toEqual(new Set(['a', 'b']));
  expect(complaints).toEqual([]);
});
